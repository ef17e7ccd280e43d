from __future__ import annotations

import torch
from torch import nn


def two(p):
    return p if isinstance(p, tuple) else (p, p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    settings = {"dilation": two(dilation), "padding": two(padding), "stride": two(stride)}
    y = torch.einsum("fk,nkl->nfl", weight.flatten(1), F.unfold(x, weight.shape[2:], **settings))
    rows = (x.shape[2] + 2 * two(padding)[0] - two(dilation)[0] * (weight.shape[2] - 1) - 1) // two(stride)[0] + 1
    y = y.unflatten(2, (rows, y.shape[2] // rows))
    return y if bias is None else y + bias[:, None, None]


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.settings = two(stride), two(padding)
        self.weight = nn.Parameter(0.1 * torch.randn(out_channels, in_channels, *two(kernel_size)))
        self.register_parameter("bias", nn.Parameter(0.1 * torch.randn(out_channels)) if bias else None)

    def forward(self, x):
        import torch.nn.functional as F

        (sh, sw), (ph, pw) = self.settings
        seen = F.pad(x, (pw, pw, ph, ph)).unfold(2, self.weight.shape[2], sh).unfold(3, self.weight.shape[3], sw)
        y = torch.einsum("ncijuv,fcuv->nfij", seen, self.weight)
        return y if self.bias is None else y + self.bias[:, None, None]


def nchw_to_nhwc(x):
    return torch.einsum("nchw->nhwc", x)


def nhwc_to_nchw(x):
    return torch.einsum("nhwc->nchw", x)
