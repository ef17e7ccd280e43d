"""Loops over sequences, heads and queries."""

from __future__ import annotations

import math

import torch
from torch import nn


def _attend(query, keys, values, keep=None):
    """One query, shape (d,), among its keys, shape (S, d)."""
    if keep is not None:
        places = keep.nonzero()[:, 0]
        keys, values = keys[places], values[places]
    if len(keys) == 0:
        return values.sum(0)
    scores = (keys * query).sum(1) / math.sqrt(len(query))
    powers = (scores - scores.detach().max()).exp()
    return (powers[:, None] * values).sum(0) / powers.sum()


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            memory = x
        N, T, D = x.shape
        S, d = memory.shape[1], D // self.heads
        if mask is not None:
            mask = torch.broadcast_to(mask, (N, self.heads, T, S))
        sequences = []
        for n in range(N):
            columns = []
            for h in range(self.heads):
                rows = [slice(c * D + h * d, c * D + (h + 1) * d) for c in range(3)]
                q, k, v = (
                    tokens[n] @ self.in_proj_weight[place].T + self.in_proj_bias[place]
                    for tokens, place in zip((x, memory, memory), rows)
                )
                keep = [None] * T if mask is None else mask[n, h]
                columns.append(torch.stack([_attend(q[t], k, v, keep[t]) for t in range(T)]))
            sequences.append(self.out_proj(torch.cat(columns, dim=1)))
        return torch.stack(sequences)


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(torch.randn(vocab_size, dim) / math.sqrt(dim), freeze=False)
        self.attention = nn.MultiheadAttention(dim, 4, batch_first=True)

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.attention(words, words, words, need_weights=False)[0]

    def forward(self, ids):
        return nn.functional.linear(self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.values = nn.Embedding(num_values, num_values)

    def forward(self, keys, values, query):
        scores = (self.keys(keys) * self.keys(query)[:, None]).sum(2)
        best = scores.max(dim=1, keepdim=True).values.detach()
        powers = (scores - best).exp()
        return (powers[:, :, None] * self.values(values)).sum(1) / powers.sum(1, keepdim=True)


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, heads, T, d = q.shape
    out = torch.empty(N, heads, T, v.shape[-1], dtype=v.dtype, device=v.device)
    for n in range(N):
        for h in range(heads):
            for start in range(0, T, chunk):
                stop = min(start + chunk, T)
                seen = stop if is_causal else T
                scores = (q[n, h, start:stop] / math.sqrt(d)) @ k[n, h, :seen].T
                if is_causal:
                    for t in range(start, stop):
                        scores[t - start, t + 1 :] = -math.inf
                scores -= scores.amax(1, keepdim=True)
                scores.exp_()
                out[n, h, start:stop] = scores @ v[n, h, :seen] / scores.sum(1, keepdim=True)
    return out
