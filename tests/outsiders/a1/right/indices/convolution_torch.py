"""Index arithmetic in PyTorch: pixels are gathered by their places."""

from __future__ import annotations

import torch
from torch import nn


def _two(p):
    return tuple(p) if hasattr(p, "__len__") else (p, p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    (sh, sw), (ph, pw), (dh, dw) = _two(stride), _two(padding), _two(dilation)
    N, C, H, W = x.shape
    filters, _, kh, kw = weight.shape
    Ho = (H + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    Wo = (W + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    cols = F.unfold(x, [kh, kw], [dh, dw], [ph, pw], [sh, sw])
    flat = cols.permute(1, 0, 2).reshape(C * kh * kw, N * Ho * Wo)
    y = weight.reshape(filters, C * kh * kw).mm(flat)
    if bias is not None:
        y = y.add(bias.unsqueeze(1))
    return y.reshape(filters, N, Ho, Wo).transpose(0, 1)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.stride, self.padding = _two(stride), _two(padding)
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels, *_two(kernel_size)).uniform_(-0.3, 0.3))
        self.bias = None
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_channels))

    def forward(self, x):
        ph, pw = self.padding
        xp = torch.nn.functional.pad(x, (pw, pw, ph, ph))
        places = []
        for n, k, s in zip(xp.shape[2:], self.weight.shape[2:], self.stride):
            starts = s * torch.arange((n - k) // s + 1, device=x.device)
            places.append(starts[:, None] + torch.arange(k, device=x.device))
        seen = xp[:, :, places[0][:, :, None, None], places[1]]  # (N, C, Ho, kh, Wo, kw)
        y = torch.tensordot(seen, self.weight, dims=([1, 3, 5], [1, 2, 3]))
        return (y if self.bias is None else y + self.bias).permute(0, 3, 1, 2)


def nchw_to_nhwc(x):
    return x.swapaxes(1, 2).swapaxes(2, 3)


def nhwc_to_nchw(x):
    return x.swapaxes(3, 2).swapaxes(2, 1)
