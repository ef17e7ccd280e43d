from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class Lookup(nn.Module):
    """Soft lookup without parameters; a query that sees nothing gets zeros."""

    def forward(self, q, k, v, mask):
        scores = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
        if mask is None:
            return torch.softmax(scores, -1) @ v
        keep = mask.broadcast_to(scores.shape)
        scores = torch.where(keep, scores, torch.finfo(scores.dtype).min)
        powers = torch.exp(scores - scores.amax(-1, keepdim=True).detach()).masked_fill(~keep, 0)
        total = powers.sum(-1, keepdim=True)
        return powers / torch.where(total > 0, total, torch.ones_like(total)) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads, self.embed_dim = num_heads, embed_dim
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.lookup = Lookup()
        self.reset()

    def reset(self):
        nn.init.normal_(self.in_proj_weight, std=self.embed_dim**-0.5)
        nn.init.normal_(self.in_proj_bias, std=0.02)

    def heads(self, x, part):
        rows = slice(part * self.embed_dim, (part + 1) * self.embed_dim)
        y = F.linear(x, self.in_proj_weight[rows], self.in_proj_bias[rows])
        return torch.stack(y.chunk(self.num_heads, dim=-1), dim=1)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        out = self.lookup(self.heads(x, 0), self.heads(memory, 1), self.heads(memory, 2), mask)
        return self.out_proj(torch.cat(out.unbind(1), dim=-1))


class SenseModel(nn.Module):
    """With positions, added to queries and keys only."""

    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        self.embedding.weight.data.normal_(0, dim**-0.5)
        self.places = nn.Parameter(0.02 * torch.randn(16, dim))
        self.q, self.k, self.v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.out = nn.Linear(dim, dim, bias=False)
        self.lookup = Lookup()

    def encode(self, ids):
        x = self.embedding(ids)
        placed = x + self.places[: ids.shape[1]]
        return x + self.out(self.lookup(self.q(placed), self.k(placed), self.v(x), None))

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.t()


class RecallModel(nn.Module):
    """Learned projections that begin where PyTorch leaves them, beside the bare comparison."""

    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys = nn.Embedding(num_keys, dim)
        self.answers = nn.Embedding(num_values, num_values)
        self.sharp = nn.Parameter(torch.tensor(1.0))

    def forward(self, keys, values, query):
        scores = torch.bmm(self.keys(keys), self.keys(query).unsqueeze(2)).squeeze(2) * self.sharp
        return (torch.softmax(scores, dim=1).unsqueeze(2) * self.answers(values)).sum(1)


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    """Recursion: the first chunk, then the rest; the causal one need not look at later keys."""
    N, heads, T, d = q.shape
    out = torch.zeros(N, heads, T, v.shape[3], dtype=v.dtype, device=v.device)
    lookup = Lookup()

    def fill(start):
        end = min(start + chunk, T)
        seen = end if is_causal else T
        place = torch.arange(start, end, device=q.device)[:, None]
        mask = torch.arange(seen, device=q.device) <= place if is_causal else None
        out[:, :, start:end] = lookup(q[:, :, start:end], k[:, :, :seen], v[:, :, :seen], mask)
        return end

    start = 0
    while start < T:
        start = fill(start)
    return out
