"""Closures and sums over generators."""

from __future__ import annotations

from itertools import product

import torch
from torch import nn


def _both(p):
    match p:
        case (a, b) | [a, b]:
            return a, b
        case number:
            return number, number


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    from torch.nn import functional as F

    s, p, d = map(_both, (stride, padding, dilation))
    k = weight.shape[2:]
    out = [(n + 2 * b - c * (m - 1) - 1) // a + 1 for n, m, a, b, c in zip(x.shape[2:], k, s, p, d)]
    cols = F.unfold(x, tuple(k), dilation=d, padding=p, stride=s)
    y = weight.flatten(1) @ cols
    return (y if bias is None else bias.reshape(-1, 1) + y).unflatten(2, out)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(out_channels, in_channels, *_both(kernel_size)) - 0.5)
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_channels)) if bias else None)
        self.geometry = _both(stride), _both(padding)

    def forward(self, x):
        (sh, sw), (ph, pw) = self.geometry
        n, _, h, w = x.shape
        f, c, kh, kw = self.weight.shape
        xp = x.new_zeros(n, c, h + 2 * ph, w + 2 * pw)
        xp[:, :, ph : ph + h, pw : pw + w] = x
        rows, columns = h + 2 * ph - kh, w + 2 * pw - kw

        def term(u, v):
            seen = xp[:, :, u : u + rows + 1 : sh, v : v + columns + 1 : sw]
            return torch.tensordot(self.weight[:, :, u, v], seen, dims=([1], [1])).transpose(0, 1)

        y = sum(term(u, v) for u, v in product(range(kh), range(kw)))
        return y if self.bias is None else y + self.bias.view(1, -1, 1, 1)


def nchw_to_nhwc(x):
    return x.movedim(1, 3)


def nhwc_to_nchw(x):
    return x.transpose(2, 3).transpose(1, 2)
