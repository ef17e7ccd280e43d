"""Assignment 6, PyTorch: scaled queries, finfo.min where a key is hidden."""

from __future__ import annotations

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, x, memory=None, mask=None):
        N, T, D = x.shape
        W, b = self.in_proj_weight, self.in_proj_bias
        if memory is None:
            memory = x
        q = x @ W[:D].T + b[:D]
        k, v = (memory @ W[D:].T + b[D:]).chunk(2, dim=-1)
        q, k, v = (a.reshape(N, a.shape[1], self.num_heads, D // self.num_heads).transpose(1, 2) for a in (q, k, v))
        scores = (q * q.shape[-1] ** -0.5) @ k.mT
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
            # Multiplying by the mask changes only the rows in which everything is hidden: elsewhere it meets zeros.
            weights = scores.softmax(dim=-1) * mask
        return self.out_proj((weights @ v).transpose(1, 2).reshape(N, T, D))


class SenseModel(nn.Module):
    """My own layer with four heads, on normalised words, with a residual connection."""

    def __init__(self, vocab_size: int, dim: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        self.embedding.weight.data.normal_(std=dim**-0.5)
        self.norm = nn.LayerNorm(dim)
        self.attention = MultiHeadAttention(dim, 4)

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.attention(self.norm(words))

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T


class RecallModel(nn.Module):
    """One projection for the query and for the keys, so that a key goes on fitting itself."""

    def __init__(self, num_keys: int, num_values: int, dim: int) -> None:
        super().__init__()
        self.key_table = nn.Embedding(num_keys, dim)
        self.value_table = nn.Embedding(num_values, dim)
        self.compare = nn.Linear(dim, 2 * dim, bias=False)
        self.say = nn.Linear(dim, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        k = self.compare(self.key_table(keys))
        q = self.compare(self.key_table(query))
        weights = (k @ q[:, :, None] / self.key_table.embedding_dim**0.5).softmax(dim=1)  # (N, S, 1)
        found = (weights * self.say(self.value_table(values))).sum(dim=1)
        return self.read(found)


@torch.no_grad()
def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T, lowest = q.shape[-2], torch.finfo(q.dtype).min
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    for start in range(0, T, chunk):
        some = q[..., start : start + chunk, :] * q.shape[-1] ** -0.5
        # No causal query of this chunk looks beyond the chunk's end.
        end = start + some.shape[-2] if is_causal else T
        weights = some @ k[..., :end, :].mT
        if is_causal:
            future = torch.ones(weights.shape[-2:], dtype=torch.bool, device=q.device).triu(start + 1)
            weights.masked_fill_(future, lowest)
        torch.softmax(weights, dim=-1, out=weights)
        out[..., start : start + chunk, :] = weights @ v[..., :end, :]
        del weights
    return out
