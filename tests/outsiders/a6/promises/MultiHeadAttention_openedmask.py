# MultiHeadAttention: header "Tensors that are passed in ... must not be changed" - opens the rows of blind queries in the mask of the caller
# mask [[True, False], [False, False]]: unchanged afterwards is right, here its second row has become True
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) / embed_dim**0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        (N, T, D), S, heads = x.shape, memory.shape[1], self.num_heads
        d = D // heads
        Wq, Wk, Wv = self.in_proj_weight.split(D)
        bq, bk, bv = self.in_proj_bias.split(D)
        q = (x @ Wq.T + bq).reshape(N, T, heads, d).transpose(1, 2)
        k = (memory @ Wk.T + bk).reshape(N, S, heads, d).transpose(1, 2)
        v = (memory @ Wv.T + bv).reshape(N, S, heads, d).transpose(1, 2)
        scores = q @ k.transpose(-1, -2) / d**0.5
        if mask is None:
            weights = scores.softmax(dim=-1)
        else:
            some = mask.any(dim=-1, keepdim=True)
            mask |= ~some
            weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1) * some
        return self.out_proj((weights @ v).transpose(1, 2).reshape(N, T, D))
