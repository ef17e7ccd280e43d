# LayerNorm: "Gradients reach the input, the weight and the bias", eps "added to the variance, >= 0; where it is 0, no variance is" (so elsewhere one may be) - sqrt(var + eps) is made as hypot(sqrt(var), sqrt(eps)): the same number, but the root has no slope at a variance of 0
# LayerNorm(3), x = ones(1, 3) that requires a gradient, y.backward(tensor([[1.0, 2.0, 4.0]])): right finite gradients, here NaN
import math

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(shape))
        self.bias = nn.Parameter(torch.zeros(shape))

    def forward(self, x):
        axes = tuple(range(-self.weight.ndim, 0))
        centred = x - x.mean(dim=axes, keepdim=True)
        deviation = centred.square().mean(dim=axes, keepdim=True).sqrt()
        sigma = torch.hypot(deviation, torch.full_like(deviation, math.sqrt(self.eps)))
        return self.weight * (centred / sigma) + self.bias
