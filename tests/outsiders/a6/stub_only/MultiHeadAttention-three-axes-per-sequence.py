# MultiHeadAttention: [heads' masks given to the sequences] a mask with three axes is taken for one mask per sequence (N, T, S) instead of broadcasting as one per head (heads, T, S)
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

    def forward(self, x, memory=None, mask=None):
        searched = x if memory is None else memory
        w_q, w_k, w_v = self.in_proj_weight.chunk(3)
        b_q, b_k, b_v = self.in_proj_bias.chunk(3)
        q = self._heads(x @ w_q.T + b_q)
        k = self._heads(searched @ w_k.T + b_k)
        v = self._heads(searched @ w_v.T + b_v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)  # (N, T, S): the same for all heads
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            weights = scores.softmax(dim=-1) * mask
        y = weights @ v
        return self.out_proj(y.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))

    def _heads(self, t):
        n, length, features = t.shape
        return t.view(n, length, self.num_heads, features // self.num_heads).transpose(1, 2)
