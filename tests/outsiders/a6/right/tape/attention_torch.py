"""Small modules with their own autograd functions, as far as possible."""

from __future__ import annotations

import torch
from torch import nn


class Softmax(torch.autograd.Function):
    """Over the kept scores only, with zeros where nothing is kept."""

    @staticmethod
    def forward(ctx, scores, keep):
        top = scores.masked_fill(~keep, -torch.inf).amax(-1, keepdim=True).nan_to_num(neginf=0.0)
        powers = torch.where(keep, (scores - top).clamp(max=0).exp(), 0)
        weights = powers / powers.sum(-1, keepdim=True).clamp(min=0.5)  # the largest power is 1, if there is any
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, slope):
        (weights,) = ctx.saved_tensors
        return weights * (slope - (weights * slope).sum(-1, keepdim=True)), None


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.shape = (num_heads, embed_dim // num_heads)
        self.register_parameter("in_proj_weight", nn.Parameter(nn.init.xavier_normal_(torch.empty(3 * embed_dim, embed_dim))))
        self.register_parameter("in_proj_bias", nn.Parameter(torch.zeros(3 * embed_dim)))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        def heads(tokens, which):
            weight, bias = (p.chunk(3)[which] for p in (self.in_proj_weight, self.in_proj_bias))
            return nn.functional.linear(tokens, weight, bias).unflatten(-1, self.shape).movedim(2, 1)

        found = x if memory is None else memory
        q, k, v = heads(x, 0), heads(found, 1), heads(found, 2)
        scores = q @ k.mT / self.shape[1] ** 0.5
        keep = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.broadcast_to(scores.shape)
        return self.out_proj((Softmax.apply(scores, keep) @ v).movedim(1, 2).flatten(-2))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.mul_(dim**-0.5)
        self.places = nn.Parameter(torch.zeros(16, dim))
        self.mix = MultiHeadAttention(dim, 1)

    def encode(self, ids):
        words = self.embedding(ids) + self.places[: ids.shape[1]]
        return words + self.mix(words)

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.mT


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.table = nn.Embedding(num_keys, dim)
        self.says = nn.Embedding(num_values, dim)
        self.read = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, num_values))

    def forward(self, keys, values, query):
        distance = (self.table(keys) - self.table(query)[:, None]).square().mean(-1)
        return self.read((torch.softmax(-8 * distance, 1)[..., None] * self.says(values)).sum(1))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    """The keys in chunks as well, with a running maximum and sum."""
    T, scale = q.shape[2], q.shape[3] ** -0.5
    out = []
    for first in range(0, T, chunk):
        rows = q[:, :, first : first + chunk] * scale
        place = torch.arange(first, first + rows.shape[2], device=q.device)[:, None]
        top = torch.full((*rows.shape[:3], 1), -torch.inf, dtype=q.dtype, device=q.device)
        total, summed = torch.zeros_like(top), torch.zeros((*rows.shape[:3], v.shape[3]), dtype=q.dtype, device=q.device)
        for start in range(0, first + rows.shape[2] if is_causal else T, chunk):
            scores = rows @ k[:, :, start : start + chunk].mT
            if is_causal:
                scores = scores.masked_fill(
                    torch.arange(start, start + scores.shape[3], device=q.device) > place, -torch.inf
                )
            higher = torch.maximum(top, scores.amax(-1, keepdim=True))
            powers, shrink = (scores - higher).exp(), (top - higher).exp()
            total = total * shrink + powers.sum(-1, keepdim=True)
            summed = summed * shrink + powers @ v[:, :, start : start + chunk]
            top = higher
        out.append(summed / total)
    return torch.cat(out, dim=2)
