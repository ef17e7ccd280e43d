# LayerNorm: "eps: added to the variance, >= 0; where it is 0, no variance is, but one may be as small as 1e-20." - eps is kept as a tensor, which is float32: in float64, 9.99999975e-06 is added instead of 1e-05, off by 2.5e-8 of it, and that shows where the variance is small.
from __future__ import annotations

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.eps = torch.tensor(eps)
        self.axes = tuple(range(-len(normalized_shape), 0))
        self.weight = nn.Parameter(torch.ones(normalized_shape))
        self.bias = nn.Parameter(torch.zeros(normalized_shape))

    def forward(self, x):
        mean = x.mean(dim=self.axes, keepdim=True)
        var = x.var(dim=self.axes, unbiased=False, keepdim=True)
        return (x - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias
