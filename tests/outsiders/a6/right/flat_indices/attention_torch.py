"""Flat indices: only the kept pairs of query and key are ever compared; sums go by number of the row."""
from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        first = [nn.Linear(embed_dim, embed_dim) for _ in range(3)]
        self.in_proj_weight = nn.Parameter(torch.cat([layer.weight.detach() for layer in first]))
        self.in_proj_bias = nn.Parameter(torch.cat([layer.bias.detach() for layer in first]))

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        (N, T, D), S, h = x.shape, memory.shape[1], self.num_heads
        d = D // h
        q = (x @ self.in_proj_weight[:D].T + self.in_proj_bias[:D]).reshape(N * T * h, d)
        k = (memory @ self.in_proj_weight[D : 2 * D].T + self.in_proj_bias[D : 2 * D]).reshape(N * S * h, d)
        v = (memory @ self.in_proj_weight[2 * D :].T + self.in_proj_bias[2 * D :]).reshape(N * S * h, d)
        kept = torch.ones((), dtype=torch.bool, device=x.device) if mask is None else mask
        n, head, t, s = kept.expand(N, h, T, S).nonzero(as_tuple=True)
        asks, found = (n * T + t) * h + head, (n * S + s) * h + head
        scores = (q[asks] * k[found]).sum(dim=1) / math.sqrt(d)
        top = scores.new_full((N * T * h,), -torch.inf)
        top = top.scatter_reduce(0, asks, scores.detach(), "amax")
        powers = torch.exp(scores - top[asks])
        total = torch.zeros_like(top).index_add(0, asks, powers)
        weights = powers / total[asks]
        out = torch.zeros_like(q).index_add(0, asks, weights[:, None] * v[found])
        return self.out_proj(out.reshape(N, T, D))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        torch.nn.init.normal_(self.embedding.weight, mean=0.0, std=1 / math.sqrt(dim))
        self.inner = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.places = nn.Parameter(torch.zeros(16, dim))

    def encode(self, ids):
        words = self.embedding(ids)
        placed = words + self.places[: ids.shape[1]]
        return words + self.inner(placed, placed, placed, need_weights=False)[0]

    def forward(self, ids):
        N, T = ids.shape
        flat = self.encode(ids).reshape(N * T, -1)
        return torch.mm(flat, self.embedding.weight.t()).reshape(N, T, -1)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.num_values = num_values
        self.table = nn.Embedding(num_keys, dim)
        self.values = nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        fit = (self.table(keys) * self.table(query).unsqueeze(1)).sum(-1) / math.sqrt(self.table.embedding_dim)
        weights = torch.softmax(fit, dim=1)
        # the weight of each value, added up over the places where it stands
        shares = weights.new_zeros(len(query), self.num_values).scatter_add(1, values, weights)
        return self.read(shares @ self.values.weight)


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, heads, T, d = q.shape
    flat_q, flat_k, flat_v = (a.reshape(N * heads, T, -1) for a in (q, k, v))
    out = flat_v.new_zeros(flat_v.shape)
    for row in range(N * heads):
        for start in range(0, T, chunk):
            place = torch.arange(start, min(start + chunk, T), device=q.device)
            scores = flat_q[row].index_select(0, place) @ flat_k[row].t()
            scores *= d**-0.5
            if is_causal:
                scores[torch.arange(T, device=q.device) > place[:, None]] = -torch.inf
            scores -= scores.amax(dim=1, keepdim=True)
            scores.exp_()
            out[row, place] = (scores @ flat_v[row]) / scores.sum(dim=1, keepdim=True)
            del scores
    return out.reshape(N, heads, T, -1)
