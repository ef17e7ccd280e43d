"""Assignment 6 in PyTorch: einsum here, too."""

from __future__ import annotations

import torch
from torch import einsum, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        bound = embed_dim**-0.5
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim).uniform_(-bound, bound))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim).uniform_(-bound, bound))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        D = x.shape[-1]
        W = self.in_proj_weight.view(3, self.num_heads, -1, D)
        b = self.in_proj_bias.view(3, self.num_heads, 1, -1)
        q = einsum("ntj,hij->nhti", x, W[0]) + b[0]
        k = einsum("nsj,hij->nhsi", memory, W[1]) + b[1]
        v = einsum("nsj,hij->nhsi", memory, W[2]) + b[2]
        scores = einsum("nhti,nhsi->nhts", q, k) * q.shape[-1] ** -0.5
        if mask is None:
            weights = scores.softmax(-1)
        else:
            # exp, zero the hidden ones, divide; a row of zeros is divided by 1
            hidden = ~mask
            top = scores.detach().masked_fill(hidden, -torch.inf).amax(-1, keepdim=True)
            top = top.masked_fill(top == -torch.inf, 0.0)
            terms = (scores - top).masked_fill(hidden, -torch.inf).exp()
            total = einsum("nhts->nht", terms)[..., None]
            weights = terms / total.masked_fill(total == 0, 1.0)
        found = einsum("nhts,nhsi->nthi", weights, v)
        return einsum("nthi,ohi->nto", found, self.out_proj.weight.view(D, self.num_heads, -1)) + self.out_proj.bias


class SenseModel(nn.Module):
    """Four heads; each writes into all features by a matrix of its own; a residual connection."""

    def __init__(self, vocab_size: int, dim: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        d = dim // 4
        self.q, self.k, self.v = (nn.Parameter(torch.randn(4, d, dim) * dim**-0.5) for _ in range(3))
        self.o = nn.Parameter(torch.randn(4, dim, d) * dim**-0.5)

    def encode(self, ids):
        x = self.embedding(ids)
        q, k, v = (einsum("ntj,hij->nhti", x, w) for w in (self.q, self.k, self.v))
        weights = (einsum("nhti,nhsi->nhts", q, k) / q.shape[-1] ** 0.5).softmax(-1)
        return x + einsum("nhts,nhsi,hoi->nto", weights, v, self.o)

    def forward(self, ids):
        return einsum("ntj,wj->ntw", self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    """The keys as they are; values by a table; logits by comparing what was found with that same table."""

    def __init__(self, num_keys: int, num_values: int, dim: int) -> None:
        super().__init__()
        self.key, self.value = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.sharpness = nn.Parameter(torch.tensor(dim**-0.5))

    def forward(self, keys, values, query):
        scores = einsum("nsj,nj->ns", self.key(keys), self.key(query)) * self.sharpness
        found = einsum("ns,nsj->nj", scores.softmax(1), self.value(values))
        return einsum("nj,wj->nw", found, self.value.weight)


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T, place = q.shape[2], torch.arange(q.shape[2], device=q.device)

    def answer(rows):
        scores = einsum("nhti,nhsi->nhts", q[:, :, rows] * q.shape[3] ** -0.5, k)
        if is_causal:
            scores.masked_fill_(place > place[rows, None], -torch.inf)
        return einsum("nhts,nhsc->nhtc", scores.softmax(3), v)

    return torch.cat([answer(slice(start, start + chunk)) for start in range(0, T, chunk)], dim=2)
