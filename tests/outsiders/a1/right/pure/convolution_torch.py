from __future__ import annotations

import torch
from torch import nn


def _both(p):
    return tuple(p) if isinstance(p, tuple) else (p, p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    stride, padding, dilation = _both(stride), _both(padding), _both(dilation)
    cols = F.unfold(x, tuple(weight.shape[-2:]), padding=padding, stride=stride, dilation=dilation)
    y = (cols.transpose(1, 2) @ weight.reshape(len(weight), -1).t()).transpose(1, 2)
    if bias is not None:
        y = y + bias.unsqueeze(-1)
    reach = (weight.shape[2] - 1) * dilation[0]
    ho = len(range(0, x.shape[2] + 2 * padding[0] - reach, stride[0]))
    return y.reshape(x.shape[0], weight.shape[0], ho, -1)


class Conv2d(nn.Module):
    """All places of the kernel at once, in the logarithm-free plain way: flatten the windows and multiply."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.stride, self.padding = _both(stride), _both(padding)
        weight = torch.empty(out_channels, in_channels, *_both(kernel_size))
        self.weight = nn.Parameter(nn.init.xavier_uniform_(weight))
        self.bias = nn.Parameter(torch.randn(out_channels) / 100) if bias else None

    def forward(self, x):
        (sh, sw), (ph, pw) = self.stride, self.padding
        n, c, rows, columns = x.shape
        frame = x.new_zeros(n, c, rows + 2 * ph, columns + 2 * pw)
        frame[:, :, ph : ph + rows, pw : pw + columns] = x
        kh, kw = self.weight.shape[2:]
        seen = frame.unfold(2, kh, sh).unfold(3, kw, sw)  # n c ho wo kh kw
        ho, wo = seen.shape[2:4]
        flat = seen.permute(0, 2, 3, 1, 4, 5).reshape(n * ho * wo, c * kh * kw)
        weight = self.weight.reshape(len(self.weight), -1)
        y = flat @ weight.T if self.bias is None else torch.addmm(self.bias, flat, weight.T)
        return y.reshape(n, ho, wo, -1).permute(0, 3, 1, 2)


def nchw_to_nhwc(x):
    return x.transpose(1, 2).transpose(2, 3)


def nhwc_to_nchw(x):
    return x.transpose(3, 2).transpose(2, 1)
