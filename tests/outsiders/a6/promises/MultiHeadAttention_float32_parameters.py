# MultiHeadAttention: "Register the parameters, with initial values of your choice (small, random, in the default dtype)." - the two own parameters are made in float32, whatever the default is
# Differs: torch.set_default_dtype(torch.float64); MultiHeadAttention(4, 2).in_proj_weight is float32 beside a float64 out_proj.
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim, dtype=torch.float32) * embed_dim**-0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim, dtype=torch.float32))
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
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            blind = ~mask.any(dim=-1, keepdim=True)
            weights = torch.softmax(scores.masked_fill(~(mask | blind), float("-inf")), dim=-1).masked_fill(blind, 0.0)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(N, T, D))
