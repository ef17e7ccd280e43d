"""Flattened batches of matrices (bmm), buffers of positions, layer normalization, distances in place of products."""

from itertools import count, takewhile

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        like = nn.Linear(embed_dim, 3 * embed_dim)
        self.in_proj_weight, self.in_proj_bias = like.weight, like.bias
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.num_heads = num_heads

    def forward(self, x, memory=None, mask=None):
        N, T, D = x.shape
        memory = x if memory is None else memory
        S, H = memory.shape[1], self.num_heads
        weights, biases = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        q, k, v = (
            torch.addmm(b, tokens.reshape(-1, D), w.t()).reshape(N, -1, H, D // H).movedim(2, 1).reshape(N * H, -1, D // H)
            for tokens, w, b in zip((x, memory, memory), weights, biases)
        )
        scores = torch.bmm(q, k.mT) * (D // H) ** -0.5
        if mask is not None:
            keep = mask.expand(N, H, T, S).reshape(N * H, T, S)
            blind = ~keep.any(dim=-1, keepdim=True)
            # A blind query looks everywhere first, so that no NaN arises, and forgets it afterwards.
            scores = scores.masked_fill(~(keep | blind), float("-inf"))
        table = scores.log_softmax(-1).exp()
        if mask is not None:
            table = table * ~blind
        out = torch.bmm(table, v).reshape(N, H, T, -1).movedim(1, 2).reshape(N, T, D)
        return self.out_proj(out)


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        self.embedding.weight.data.normal_(0.0, dim**-0.5)
        self.places = nn.Embedding(16, dim)
        nn.init.normal_(self.places.weight, std=0.02)
        self.attend, self.norm = MultiHeadAttention(dim, 4), nn.LayerNorm(dim)

    def encode(self, ids):
        x = self.embedding(ids)
        return x + self.attend(self.norm(x + self.places.weight[: ids.shape[1]]))

    def forward(self, ids):
        vectors = self.encode(ids)
        return (vectors.flatten(0, 1) @ self.embedding.weight.t()).unflatten(0, ids.shape)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.keys, self.values = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.read = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, num_values))
        self.dim = dim

    def forward(self, keys, values, query):
        gap = self.keys(keys) - self.keys(query)[:, None]
        weights = torch.softmax(-gap.square().sum(-1) / self.dim**0.5, dim=1)
        return self.read((weights[:, None] @ self.values(values)).squeeze(1))


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, H, T, d = q.shape
    q, k, v = (a.reshape(N * H, T, -1) for a in (q, k, v))
    out = torch.zeros(N * H, T, v.shape[2], dtype=v.dtype, device=v.device)
    none = q.new_zeros(())
    for start in takewhile(lambda s: s < T, count(0, chunk)):
        piece = q.narrow(1, start, min(chunk, T - start))
        if is_causal:
            bias = q.new_full((piece.shape[1], T), float("-inf")).triu_(start + 1)
        else:
            bias = none
        scores = torch.baddbmm(bias, piece, k.mT, alpha=d**-0.5)
        scores -= scores.amax(2, keepdim=True)
        scores.exp_()
        scores /= scores.sum(2, keepdim=True)
        torch.bmm(scores, v, out=out.narrow(1, start, piece.shape[1]))
        del scores
    return out.reshape(N, H, T, -1)
