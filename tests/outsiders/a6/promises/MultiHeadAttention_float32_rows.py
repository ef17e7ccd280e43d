# MultiHeadAttention: "Register the parameters in the default dtype" (__init__) - in_proj_weight and in_proj_bias are always float32: under torch.set_default_dtype(torch.float64) they are not in the default dtype (and do not fit out_proj).
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        weight = torch.randn(3 * embed_dim, embed_dim, dtype=torch.float32) / embed_dim**0.5
        self.in_proj_weight = nn.Parameter(weight)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim, dtype=torch.float32))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        D = x.shape[-1]

        def project(tokens, rows):
            result = tokens @ self.in_proj_weight[rows].T + self.in_proj_bias[rows]
            return result.unflatten(-1, (self.num_heads, D // self.num_heads)).transpose(1, 2)

        q, k, v = project(x, slice(D)), project(source, slice(D, 2 * D)), project(source, slice(2 * D, None))
        scores = q @ k.transpose(-1, -2) * (D // self.num_heads) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
