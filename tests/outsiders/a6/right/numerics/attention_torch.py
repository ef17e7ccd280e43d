from __future__ import annotations

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Log space: log weights = scores - logsumexp; what is hidden or blind never meets an infinity."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        bound = embed_dim**-0.5
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim).uniform_(-bound, bound))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim).uniform_(-bound, bound))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        Wq, Wk, Wv = self.in_proj_weight.chunk(3)
        bq, bk, bv = self.in_proj_bias.chunk(3)
        N, T, D = x.shape
        q, k, v = (
            (t @ W.T + b).reshape(N, t.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
            for t, W, b in ((x, Wq, bq), (memory, Wk, bk), (memory, Wv, bv))
        )
        scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)
        if mask is None:
            weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
        else:
            keep = mask & torch.ones_like(scores, dtype=torch.bool)
            least = scores.detach().amin() - scores.detach().amax() - 2000
            low = torch.where(keep, scores, scores.detach().amin() + least)
            weights = torch.where(keep, (low - low.logsumexp(-1, keepdim=True)).exp(), 0.0)
        return self.out_proj((weights @ v).permute(0, 2, 1, 3).reshape(N, T, D))


class SenseModel(nn.Module):
    """One head, normalized before the attention; the words themselves stay as they are."""

    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.mul_(dim**-0.5)
        self.norm, self.attention = nn.LayerNorm(dim), MultiHeadAttention(dim, 1)

    def encode(self, ids):
        x = self.embedding(ids)
        return x + self.attention(self.norm(x))

    def forward(self, ids):
        return torch.tensordot(self.encode(ids), self.embedding.weight, dims=([2], [1]))


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys, self.values = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.read = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, num_values))

    def forward(self, keys, values, query):
        distance = (self.keys(keys) - self.keys(query)[:, None]).square().sum(dim=2)
        weights = torch.softmax(-distance / 2, dim=1)
        return self.read((weights[:, None] @ self.values(values))[:, 0])


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    """Chunks of queries, and keys by running maximum and sum."""
    T, scale = q.shape[2], q.shape[3] ** -0.5
    out = torch.empty(*q.shape[:3], v.shape[3], dtype=q.dtype, device=q.device)
    for a in range(0, T, chunk):
        part = q[:, :, a : a + chunk] * scale
        rows = torch.arange(a, a + part.shape[2], device=q.device)[:, None]
        top = torch.full((*part.shape[:3], 1), -torch.inf, dtype=q.dtype, device=q.device)
        total, sums = torch.zeros_like(top), out.new_zeros(*part.shape[:3], v.shape[3])
        for j in range(0, T, 64):
            if is_causal and j > a + part.shape[2] - 1:
                break
            scores = part @ k[:, :, j : j + 64].transpose(2, 3)
            if is_causal:
                cols = torch.arange(j, j + scores.shape[3], device=q.device)
                scores = scores.masked_fill(cols > rows, -torch.inf)
            new = torch.maximum(top, scores.amax(-1, keepdim=True))
            fade, powers = torch.exp(top - new), torch.exp(scores - new)
            total = total * fade + powers.sum(-1, keepdim=True)
            sums, top = sums * fade + powers @ v[:, :, j : j + 64], new
        out[:, :, a : a + chunk] = sums / total
    return out
