"""Assignment 6, PyTorch. Parts are in ``torch_parts.py``; the causal mask is the one of the first half."""

from __future__ import annotations

import torch
from attention import causal_mask
from torch import nn
from torch_parts import Projection, attend, merge, split


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.register_parameter("in_proj_weight", nn.Parameter(torch.empty(3 * embed_dim, embed_dim)))
        self.register_parameter("in_proj_bias", nn.Parameter(torch.empty(3 * embed_dim)))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.kaiming_uniform_(self.in_proj_weight, a=5**0.5)
        nn.init.zeros_(self.in_proj_bias)

    def forward(self, x, memory=None, mask=None):
        sources = (x, x, x) if memory is None else (x, memory, memory)
        layers = zip(self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3))
        q, k, v = (
            split(nn.functional.linear(tokens, *layer), self.num_heads) for tokens, layer in zip(sources, layers)
        )
        return self.out_proj(merge(attend(q, k, v, mask)))


class SenseModel(nn.Module):
    """A residual layer on layer-normalised words; the table is tied by a property."""

    def __init__(self, vocab_size: int, dim: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, 0.0, dim**-0.5)
        self.exchange = nn.Sequential(nn.LayerNorm(dim), Projection(dim, heads=2))

    @property
    def table(self):
        return self.embedding.weight

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.exchange(words)

    def forward(self, ids):
        return nn.functional.linear(self.encode(ids), self.table)


class RecallModel(nn.Module):
    class Table(nn.Embedding):
        """The keys are their own fingerprints."""

        def fit(self, query, keys):
            return (self(query).unsqueeze(1) * self(keys)).sum(-1).div(self.embedding_dim**0.5)

    def __init__(self, num_keys: int, num_values: int, dim: int) -> None:
        super().__init__()
        self.keys = self.Table(num_keys, dim)
        self.values = nn.Embedding(num_values, dim)
        self.reader = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, num_values))

    def forward(self, keys, values, query):
        weights = self.keys.fit(query, keys).softmax(dim=1)
        return self.reader(torch.linalg.vecdot(weights.unsqueeze(1), self.values(values).mT))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    def pieces():
        start = 0
        for queries in q.split(chunk, dim=2):
            end = start + queries.shape[2]
            if is_causal:  # the last queries of a sequence that ends here
                mask = torch.from_numpy(causal_mask(end - start, end)).to(q.device)
                yield attend(queries, k[:, :, :end], v[:, :, :end], mask)
            else:
                yield attend(queries, k, v)
            start = end

    return torch.cat(list(pieces()), dim=2)
