from __future__ import annotations

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Head by head."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) / math.sqrt(embed_dim))
        self.in_proj_bias = nn.Parameter(0.01 * torch.randn(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        (N, T, D), S = x.shape, memory.shape[1]
        d = D // self.num_heads
        keep = torch.ones((), dtype=torch.bool, device=x.device) if mask is None else mask
        keep = keep.expand(N, self.num_heads, T, S)
        y = self.out_proj.bias.expand(N, T, D)
        for h in range(self.num_heads):
            own = slice(h * d, (h + 1) * d)
            parts = []
            for part, tokens in enumerate((x, memory, memory)):
                rows = slice(part * D + h * d, part * D + (h + 1) * d)
                parts.append(tokens @ self.in_proj_weight[rows].T + self.in_proj_bias[rows])
            q, k, v = parts
            scores = q @ k.transpose(1, 2) / math.sqrt(d)
            blind = ~keep[:, h].any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(keep[:, h] | blind), -math.inf)
            weights = torch.softmax(scores, dim=-1).masked_fill(blind, 0.0)
            y = y + weights @ v @ self.out_proj.weight[:, own].T
        return y


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, 0.0, dim**-0.5)
        self.attention = MultiHeadAttention(dim, 2)

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.attention(words)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys, self.values = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        found = []
        for n in range(len(keys)):
            weights = torch.softmax(self.keys(keys[n]) @ self.keys(query[n]), dim=0)
            found.append(weights @ self.values(values[n]))
        return self.read(torch.stack(found))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, heads, T, d = q.shape
    out = v.new_empty(N, heads, T, v.shape[3])
    for start in range(0, T, chunk):
        end = min(start + chunk, T)
        for n in range(N):
            for h in range(heads):
                scores = q[n, h, start:end] @ k[n, h].T / math.sqrt(d)
                if is_causal:
                    for i in range(start, end):
                        scores[i - start, i + 1 :] = -math.inf
                out[n, h, start:end] = torch.softmax(scores, dim=-1) @ v[n, h]
    return out
