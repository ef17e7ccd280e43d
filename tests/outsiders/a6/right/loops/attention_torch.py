"""Assignment 6, PyTorch part, in loops: over sequences, heads, queries, lists, chunks."""

from __future__ import annotations

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) / math.sqrt(embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            memory = x
        N, T, D = x.shape
        S, d = memory.shape[1], D // self.heads
        if mask is None:
            mask = torch.ones((), dtype=torch.bool, device=x.device)
        mask = mask.expand(N, self.heads, T, S)
        W, b = self.in_proj_weight, self.in_proj_bias
        merged = x.new_zeros(N, T, D)
        for n in range(N):
            for h in range(self.heads):
                mine = slice(h * d, (h + 1) * d)
                q = x[n] @ W[:D][mine].T + b[:D][mine]
                k = memory[n] @ W[D : 2 * D][mine].T + b[D : 2 * D][mine]
                v = memory[n] @ W[2 * D :][mine].T + b[2 * D :][mine]
                for t in range(T):
                    seen = mask[n, h, t]
                    weights = q.new_zeros(S)
                    weights[seen] = torch.softmax(k[seen] @ q[t] / math.sqrt(d), dim=0)
                    merged[n, t, mine] = weights @ v
        return self.out_proj(merged)


class SenseModel(nn.Module):
    """One head, no biases, a residual connection."""

    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.normal_(0.0, 1 / math.sqrt(dim))
        self.ask = nn.Linear(dim, dim, bias=False)
        self.find = nn.Linear(dim, dim, bias=False)
        self.say = nn.Linear(dim, dim, bias=False)

    def encode(self, ids):
        words = self.embedding(ids)
        q, k, v = self.ask(words), self.find(words), self.say(words)
        rows = []
        for t in range(ids.shape[1]):
            fit = (k * q[:, t : t + 1]).sum(dim=2) / math.sqrt(words.shape[2])
            w = torch.softmax(fit, dim=1)
            moved = words[:, t]
            for s in range(ids.shape[1]):
                moved = moved + w[:, s : s + 1] * v[:, s]
            rows.append(moved)
        return torch.stack(rows, dim=1)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.values = nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        K, V, Q = self.keys(keys), self.values(values), self.keys(query)
        answers = []
        for n in range(len(query)):
            weights = torch.softmax(K[n] @ Q[n] / math.sqrt(K.shape[2]), dim=0)
            answers.append(weights @ V[n])
        return self.read(torch.stack(answers))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, heads, T, d = q.shape
    out = q.new_empty(N, heads, T, v.shape[3])
    for n in range(N):
        for h in range(heads):
            for start in range(0, T, chunk):
                stop = min(start + chunk, T)
                scores = q[n, h, start:stop] @ k[n, h].T / math.sqrt(d)
                if is_causal:
                    for i in range(start, stop):
                        scores[i - start, i + 1 :] = -math.inf
                out[n, h, start:stop] = torch.softmax(scores, dim=1) @ v[n, h]
                del scores
    return out
