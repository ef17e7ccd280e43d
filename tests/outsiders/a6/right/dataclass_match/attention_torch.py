"""Closures, match, small modules, generators; the softmax with its largest score taken off by hand."""
from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def weigher(mask):
    match mask:
        case None:
            return lambda scores: torch.exp(torch.log_softmax(scores, dim=-1))
        case _:
            pass

    def weigh(scores):
        kept = torch.broadcast_to(mask, scores.shape)
        low = torch.full_like(scores, -torch.inf)
        top = torch.where(kept, scores, low).amax(dim=-1, keepdim=True)
        top = torch.where(top.isneginf(), torch.zeros_like(top), top).detach()
        powers = torch.exp(torch.where(kept, scores - top, low))
        total = powers.sum(dim=-1, keepdim=True)
        return powers / torch.where(total == 0, torch.ones_like(total), total)

    return weigh


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.register_parameter("in_proj_weight", nn.Parameter(torch.empty(3 * embed_dim, embed_dim)))
        self.register_parameter("in_proj_bias", nn.Parameter(torch.empty(3 * embed_dim)))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.normal_(self.in_proj_bias, std=0.02)

    def forward(self, x, memory=None, mask=None):
        match memory:
            case None:
                tokens = (x, x, x)
            case _:
                tokens = (x, memory, memory)
        layers = zip(tokens, self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3))
        q, k, v = (
            (a @ w.T + b).unflatten(-1, (self.num_heads, -1)).movedim(2, 1) for a, w, b in layers
        )
        weights = weigher(mask)(q @ k.mT * q.shape[-1] ** -0.5)
        return self.out_proj((weights @ v).movedim(1, 2).flatten(2))


class Residual(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, _weight=torch.randn(vocab_size, dim) / math.sqrt(dim))
        self.layer = Residual(MultiHeadAttention(dim, 4))

    def encode(self, ids):
        return self.layer(self.embedding(ids))

    def forward(self, ids):
        return nn.functional.linear(self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.table = nn.Embedding(num_keys, dim)
        self.values = nn.EmbeddingBag(num_values, dim, mode="sum")  # a weighted sum of rows is what it computes
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        fit = torch.bmm(self.table(keys), self.table(query)[:, :, None])[:, :, 0]
        weights = torch.softmax(fit / math.sqrt(self.table.embedding_dim), dim=1)
        return self.read(self.values(values, per_sample_weights=weights))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    keys = torch.arange(k.shape[2], device=k.device)

    def pieces():
        for piece, where in zip(q.split(chunk, dim=2), keys.split(chunk)):
            weigh = weigher(keys <= where[:, None] if is_causal else None)
            yield weigh(piece @ k.mT / math.sqrt(q.shape[3])) @ v

    return torch.cat(list(pieces()), dim=2)
