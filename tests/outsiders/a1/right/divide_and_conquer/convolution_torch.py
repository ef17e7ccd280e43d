from __future__ import annotations

from functools import reduce

import torch
import torch.nn.functional as F
from torch import nn


def _both(p):
    return p if isinstance(p, tuple) else (p, p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    if bias is not None:
        return conv2d_unfold(x, weight, None, stride, padding, dilation) + bias[None, :, None, None]
    if padding not in (0, (0, 0)):
        ph, pw = _both(padding)
        return conv2d_unfold(F.pad(x, (pw, pw, ph, ph)), weight, None, stride, 0, dilation)
    (sh, sw), (dh, dw), (kh, kw) = _both(stride), _both(dilation), weight.shape[2:]
    Ho = (x.size(2) - dh * (kh - 1) - 1) // sh + 1
    Wo = (x.size(3) - dw * (kw - 1) - 1) // sw + 1
    cols = F.unfold(x, (kh, kw), dilation=(dh, dw), stride=(sh, sw))
    y = cols.transpose(1, 2) @ weight.reshape(len(weight), -1).t()
    return y.transpose(1, 2).reshape(len(x), len(weight), Ho, Wo)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(out_channels, in_channels, *_both(kernel_size)) / 5 - 0.1)
        self.bias = nn.Parameter(torch.rand(out_channels) / 5 - 0.1) if bias else None
        self.geometry = _both(stride), _both(padding)

    def forward(self, x):
        (sh, sw), (ph, pw) = self.geometry
        kh, kw = self.weight.shape[2:]
        x = F.pad(x, (pw, pw, ph, ph))

        def windows(x, u):
            """Half of the rows of the kernel, and the other half; a single row slides by Tensor.unfold."""
            if len(u) == 1:
                last = x.size(2) - kh + u[0] + 1
                row = x[:, :, u[0] : last : sh].unfold(3, kw, sw)
                return torch.einsum("ncijv,fcv->nfij", row, self.weight[:, :, u[0]])
            return reduce(torch.add, (windows(x, half) for half in (u[: len(u) // 2], u[len(u) // 2 :])))

        y = windows(x, range(kh))
        return y if self.bias is None else y + self.bias.view(1, -1, 1, 1)


def nchw_to_nhwc(x):
    return torch.permute(x, (0, 2, 3, 1))


def nhwc_to_nchw(x):
    # twice more around the circle is once back
    return nchw_to_nhwc(nchw_to_nhwc(x))
