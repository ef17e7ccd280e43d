from __future__ import annotations

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads, self.out_proj = num_heads, nn.Linear(embed_dim, embed_dim)
        self.in_proj_weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(3 * embed_dim, embed_dim)))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))

    def forward(self, x, memory=None, mask=None):
        W, b = (p.unflatten(0, (3, self.num_heads, -1)) for p in (self.in_proj_weight, self.in_proj_bias))
        m = x if memory is None else memory
        q, k, v = (torch.einsum("ntj,hij->nhti", t, w) + c[:, None] for t, w, c in zip((x, m, m), W, b))
        scores = torch.einsum("nhid,nhjd->nhij", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1) if mask is None else scores.softmax(-1) * mask
        return self.out_proj(torch.einsum("nhij,nhjd->nihd", weights, v).flatten(2))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, _weight=torch.randn(vocab_size, dim) * dim**-0.5)
        self.attention = nn.MultiheadAttention(dim, 4, batch_first=True)

    def encode(self, ids):
        return (x := self.embedding(ids)) + self.attention(x, x, x, need_weights=False)[0]

    def forward(self, ids):
        return nn.functional.linear(self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.k, self.v, self.out = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim), nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        w = torch.einsum("nsd,nd->ns", self.k(keys), self.k(query)).softmax(1)
        return self.out(torch.einsum("ns,nsd->nd", w, self.v(values)))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    def part(i):
        s = torch.einsum("nhid,nhjd->nhij", q[:, :, i : i + chunk], k).mul_(q.shape[-1] ** -0.5)
        if is_causal:
            s.masked_fill_(torch.ones(s.shape[2:], dtype=torch.bool, device=s.device).triu_(i + 1), -torch.inf)
        return s.softmax(-1) @ v

    return torch.cat([part(i) for i in range(0, q.shape[2], chunk)], 2)
