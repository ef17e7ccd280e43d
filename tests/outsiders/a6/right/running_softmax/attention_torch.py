"""Assignment 6: self-attention as retrieval, in PyTorch. Odd facilities: logsumexp, vmap-free tricks, log weights."""

from __future__ import annotations

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        scale = 1 / math.sqrt(embed_dim)
        self.in_proj_weight = nn.Parameter(scale * (2 * torch.rand(3 * embed_dim, embed_dim) - 1))
        self.in_proj_bias = nn.Parameter(0.01 * torch.randn(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=True)
        self.num_heads = num_heads

    def forward(self, x, memory=None, mask=None):
        (N, T, D), M = x.shape, self.num_heads
        both = x if memory is None else torch.cat([x, memory], dim=1)
        qkv = torch.addmm(self.in_proj_bias, both.reshape(-1, D), self.in_proj_weight.t())
        qkv = qkv.reshape(N, both.shape[1], 3, M, D // M).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind()
        if memory is not None:
            q, k, v = q[:, :, :T], k[:, :, T:], v[:, :, T:]
        scores = torch.matmul(q, k.transpose(2, 3)).mul(math.sqrt(M / D))
        if mask is not None:
            keep = torch.broadcast_to(mask, scores.shape)
            seeing = keep.any(dim=-1, keepdim=True)
            scores = torch.where(keep | ~seeing, scores, torch.full_like(scores, -math.inf))
            weights = torch.where(seeing, scores, torch.zeros_like(scores)).softmax(-1) * seeing
        else:
            weights = scores.softmax(-1)
        return self.out_proj(torch.matmul(weights, v).permute(0, 2, 1, 3).flatten(2))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, 0.0, 1 / math.sqrt(dim))
        self.places = nn.Parameter(torch.zeros(16, dim))
        self.attention = MultiHeadAttention(dim, 2)

    def encode(self, ids):
        words = self.embedding(ids)
        return words + self.attention(words + self.places[: ids.shape[1]])

    def forward(self, ids):
        context = self.encode(ids)
        return torch.tensordot(context, self.embedding.weight, dims=([2], [1]))


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.tables = nn.ModuleDict({"key": nn.Embedding(num_keys, dim), "value": nn.Embedding(num_values, dim)})
        self.read = nn.Linear(dim, num_values)
        self.sharpness = nn.Parameter(torch.tensor(1 / math.sqrt(dim)))

    def forward(self, keys, values, query):
        stored, asked = self.tables["key"](keys), self.tables["key"](query).unsqueeze(2)
        scores = torch.bmm(stored, asked).squeeze(2) * self.sharpness
        weights = scores.sub(scores.logsumexp(1, keepdim=True)).exp()
        return self.read((self.tables["value"](values) * weights.unsqueeze(2)).sum(1))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    """Keys one chunk at a time as well, with a running maximum and sum."""
    T, d = q.shape[2], q.shape[3]
    place = torch.arange(T, device=q.device)
    out = []
    for rows in place.split(chunk):
        mine = q[:, :, rows[0] : rows[-1] + 1] / math.sqrt(d)
        top = mine.new_full((*mine.shape[:3], 1), -math.inf)
        total, found = torch.zeros_like(top), mine.new_zeros((*mine.shape[:3], v.shape[3]))
        for columns in place.split(chunk):
            if is_causal and columns[0] > rows[-1]:
                break
            part = slice(int(columns[0]), int(columns[-1]) + 1)
            scores = mine @ k[:, :, part].transpose(2, 3)
            if is_causal:
                scores = scores.masked_fill(columns > rows[:, None], -math.inf)
            new = torch.maximum(top, scores.amax(3, keepdim=True))
            shrink, powers = (top - new).exp(), (scores - new).exp()
            total, found, top = total * shrink + powers.sum(3, keepdim=True), found * shrink + powers @ v[:, :, part], new
        out.append(found / total)
    return torch.cat(out, dim=2)
