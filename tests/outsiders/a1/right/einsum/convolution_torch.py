"""The same in PyTorch: einsum over windows."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn


def _pair(p):
    return tuple(p) if isinstance(p, (tuple, list)) else (p, p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    (sh, sw), (ph, pw), (dh, dw) = map(_pair, (stride, padding, dilation))
    f, c, kh, kw = weight.shape
    Ho = (x.shape[2] + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    cols = F.unfold(x, (kh, kw), dilation=(dh, dw), padding=(ph, pw), stride=(sh, sw))
    y = torch.einsum("fk,nkl->nfl", weight.reshape(f, c * kh * kw), cols)
    if bias is not None:
        y = y + bias[:, None]
    return y.reshape(x.shape[0], f, Ho, -1)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        kh, kw = _pair(kernel_size)
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels, kh, kw) / (in_channels * kh * kw) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
        self.stride, self.padding = _pair(stride), _pair(padding)

    def forward(self, x):
        ph, pw = self.padding
        kh, kw = self.weight.shape[2:]
        seen = F.pad(x, (pw, pw, ph, ph)).unfold(2, kh, self.stride[0]).unfold(3, kw, self.stride[1])
        y = torch.einsum("ncijuv,fcuv->nfij", seen, self.weight)
        return y if self.bias is None else y + self.bias[:, None, None]


def nchw_to_nhwc(x):
    return torch.einsum("nchw->nhwc", x)


def nhwc_to_nchw(x):
    return x.movedim(-1, 1)
