"""Everything by einsum."""
from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) * embed_dim**-0.5)
        self.in_proj_bias = nn.Parameter(torch.randn(3 * embed_dim) * 0.01)
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        h, D = self.num_heads, x.shape[-1]
        d = D // h
        W, b = self.in_proj_weight.reshape(3, h, d, D), self.in_proj_bias.reshape(3, h, 1, d)
        q = torch.einsum("ntj,hij->nhti", x, W[0]) + b[0]
        k, v = (torch.einsum("nsj,hij->nhsi", memory, W[c]) + b[c] for c in (1, 2))
        scores = torch.einsum("nhti,nhsi->nhts", q, k) / math.sqrt(d)
        if mask is None:
            weights = torch.softmax(scores, -1)
        else:
            seen = mask.expand(scores.shape)
            some = seen.any(dim=-1, keepdim=True)
            # a blind row sees everything first, and nothing at the end
            weights = torch.softmax(scores.masked_fill(~seen & some, -torch.inf), -1) * some
        out = torch.einsum("nhts,nhsi->nhti", weights, v)
        return torch.einsum("nhti,ohi->nto", out, self.out_proj.weight.reshape(D, h, d)) + self.out_proj.bias


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        self.attention = MultiHeadAttention(dim, 2)

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.attention(words)

    def forward(self, ids):
        return torch.einsum("ntd,wd->ntw", self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.values = nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        scores = torch.einsum("nsd,nd->ns", self.keys(keys), self.keys(query)) * self.keys.embedding_dim**-0.5
        return self.read(torch.einsum("ns,nsd->nd", scores.softmax(dim=1), self.values(values)))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    out = q.new_empty((*q.shape[:3], v.shape[-1]))
    T = q.shape[2]
    for start in range(0, T, chunk):
        stop = min(start + chunk, T)
        last = stop if is_causal else T  # keys behind the chunk are not even read
        scores = torch.einsum("nhtd,nhsd->nhts", q[:, :, start:stop] / math.sqrt(q.shape[-1]), k[:, :, :last])
        if is_causal:
            time = torch.arange(last, device=q.device)
            scores = scores.masked_fill(time > time[start:, None], -torch.inf)
        out[:, :, start:stop] = torch.einsum("nhts,nhse->nhte", scores.softmax(-1), v[:, :, :last])
        del scores
    return out
