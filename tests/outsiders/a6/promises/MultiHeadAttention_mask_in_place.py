# MultiHeadAttention: "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - blind queries are made to see everything by writing into the caller's mask (and their results are set to zero afterwards)
# Differs: mask = [[True, False], [False, False]]: after the call its second row is True, True, and a second call with it gives another y.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) * embed_dim**-0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            memory = x
        N, T, D = x.shape
        (wq, wk, wv), (bq, bk, bv) = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        q, k, v = (
            (tokens @ w.T + b).reshape(N, tokens.shape[1], self.num_heads, -1).transpose(1, 2)
            for tokens, w, b in ((x, wq, bq), (memory, wk, bk), (memory, wv, bv))
        )
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if mask is not None:
            blind = ~mask.any(dim=-1, keepdim=True)
            mask |= blind  # no row of minus infinities, so no NaN
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(blind, 0.0)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(N, T, D))
