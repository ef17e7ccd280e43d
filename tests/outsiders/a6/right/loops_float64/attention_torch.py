"""Loops: one sequence after another, one head after another, lists of pieces stacked at the end."""
from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def one_head(q, k, v, seen):
    """(T, d), (S, d), (S, e) and a mask (T, S): each query by itself, over its kept keys only."""
    rows = []
    for i in range(q.shape[0]):
        places = [j for j in range(k.shape[0]) if seen[i][j]]
        mine = torch.tensor(places, dtype=torch.int64, device=k.device)  # perhaps none: sums of nothing are 0
        weights = torch.softmax(k[mine] @ q[i] / math.sqrt(q.shape[1]), dim=0)
        rows.append(weights @ v[mine])
    return torch.stack(rows)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads, self.size = num_heads, embed_dim // num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim).uniform_(-1, 1) / embed_dim**0.5)
        self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim).uniform_(-0.1, 0.1))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        (N, T, D), S = x.shape, source.shape[1]
        seen = torch.ones((), dtype=torch.bool) if mask is None else mask
        seen = torch.broadcast_to(seen, (N, self.heads, T, S)).tolist()
        weights, biases = self.in_proj_weight.split(self.size), self.in_proj_bias.split(self.size)
        outs = []
        for n in range(N):
            found = []
            for h in range(self.heads):
                q, k, v = (
                    a[n] @ weights[c * self.heads + h].T + biases[c * self.heads + h]
                    for c, a in enumerate((x, source, source))
                )
                found.append(one_head(q, k, v, seen[n][h]))
            outs.append(self.out_proj(torch.cat(found, dim=1)))
        return torch.stack(outs)


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.mul_(1 / math.sqrt(dim))
        self.query, self.key, self.value = (nn.Linear(dim, dim) for _ in range(3))

    def encode(self, ids):
        words, size = self.embedding(ids), self.embedding.embedding_dim
        q, keys, values = self.query(words), self.key(words), self.value(words)
        steps = []
        for t in range(ids.shape[1]):
            scores = [(q[:, t] * keys[:, s]).sum(-1) / math.sqrt(size) for s in range(ids.shape[1])]
            weights = torch.stack(scores).softmax(0)
            steps.append(words[:, t] + sum(w[:, None] * values[:, s] for s, w in enumerate(weights)))
        return torch.stack(steps, dim=1)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.key_table = nn.Embedding(num_keys, dim)
        self.value_table = nn.Embedding(num_values, num_values)  # rows are the logits themselves

    def forward(self, keys, values, query):
        asked = self.key_table(query)
        answers = []
        for n in range(len(query)):
            fit = torch.mv(self.key_table(keys[n]), asked[n]) / math.sqrt(self.key_table.embedding_dim)
            answers.append(self.value_table(values[n]).T @ fit.softmax(0))
        return torch.stack(answers)


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    def rows(n, h, start):
        scores = q[n, h, start : start + chunk] @ k[n, h].T / math.sqrt(q.shape[3])
        if is_causal:
            for i in range(scores.shape[0]):
                scores[i, start + i + 1 :] = -torch.inf
        return torch.softmax(scores, dim=1) @ v[n, h]

    N, heads, T, _ = q.shape
    return torch.stack(
        [
            torch.stack([torch.cat([rows(n, h, start) for start in range(0, T, chunk)]) for h in range(heads)])
            for n in range(N)
        ]
    )
