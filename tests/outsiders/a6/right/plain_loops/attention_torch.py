"""Head by head and sequence by sequence, in lists of tensors."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.empty(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.normal_(self.in_proj_bias, std=0.01)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        (N, T, D), S = x.shape, source.shape[1]
        d = D // self.heads
        keep = torch.ones(1, dtype=torch.bool, device=x.device) if mask is None else mask
        keep = keep.broadcast_to(N, self.heads, T, S)
        low = torch.finfo(x.dtype).min
        sequences = []
        for n in range(N):
            found = []
            for h in range(self.heads):
                q, k, v = (
                    tokens @ self.in_proj_weight[p * D + h * d : p * D + (h + 1) * d].T
                    + self.in_proj_bias[p * D + h * d : p * D + (h + 1) * d]
                    for p, tokens in enumerate((x[n], source[n], source[n]))
                )
                scores = torch.where(keep[n, h], q @ k.T * d**-0.5, low)
                found.append(torch.softmax(scores, dim=1) * keep[n, h] @ v)
            sequences.append(torch.cat(found, dim=1))
        return self.out_proj(torch.stack(sequences))


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        with torch.no_grad():
            self.embedding.weight.mul_(1 / math.sqrt(dim))
        self.mix = nn.MultiheadAttention(dim, 4, batch_first=True)

    def encode(self, ids):
        x = self.embedding(ids)
        return self.mix(x, x, x, need_weights=False)[0].add(x)

    def forward(self, ids):
        return F.linear(self.encode(ids), self.embedding.weight)


class RecallModel(nn.Module):
    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.key_table, self.value_table = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.read = nn.Linear(dim, num_values)

    def forward(self, keys, values, query):
        found = F.scaled_dot_product_attention(
            self.key_table(query)[:, None], self.key_table(keys), self.value_table(values)
        )
        return self.read(found[:, 0])


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, heads, T, d = q.shape

    def rows():
        for start in range(0, T, chunk):
            stop = min(T, start + chunk)
            seen = stop if is_causal else T
            piece = q[:, :, start:stop].matmul(k[:, :, :seen].mT).div_(math.sqrt(d))
            if is_causal:
                hidden = torch.ones(stop - start, seen, dtype=torch.bool, device=q.device).triu_(start + 1)
                piece.masked_fill_(hidden, float("-inf"))
            yield piece.softmax(-1).matmul(v[:, :, :seen])

    return torch.cat(list(rows()), dim=2)
