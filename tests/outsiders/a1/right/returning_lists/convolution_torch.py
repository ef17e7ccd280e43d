"""Assignment 1 with PyTorch."""

import torch
from torch import nn
from torch.nn.functional import pad, unfold


def _two(p):
    return [p, p] if isinstance(p, int) else list(p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    (sh, sw), (ph, pw), (dh, dw) = _two(stride), _two(padding), _two(dilation)
    filters, channels, kh, kw = weight.shape
    rows = []
    cols = unfold(x, [kh, kw], dilation=[dh, dw], padding=[ph, pw], stride=[sh, sw])
    Ho = (x.shape[2] + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    Wo = (x.shape[3] + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    for f in range(filters):
        y = (weight[f].reshape(1, -1, 1) * cols).sum(dim=1)
        rows.append(y if bias is None else y + bias[f])
    return torch.stack(rows, 1).view(-1, filters, Ho, Wo)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.k, self.s, self.p = _two(kernel_size), _two(stride), _two(padding)
        self.weight = nn.Parameter(torch.rand([out_channels, in_channels] + self.k) - 0.5)
        self.bias = nn.Parameter(torch.rand(out_channels) - 0.5) if bias else None

    def forward(self, x):
        (kh, kw), (sh, sw), (ph, pw) = self.k, self.s, self.p
        x = pad(x, [pw, pw, ph, ph])
        columns = []
        rows = range(0, x.shape[2] - kh + 1, sh)
        for i in rows:
            for j in range(0, x.shape[3] - kw + 1, sw):
                columns.append(x[:, :, i : i + kh, j : j + kw].flatten(1))
        y = torch.stack(columns, dim=1) @ self.weight.flatten(1).T
        if self.bias is not None:
            y = y + self.bias
        return y.transpose(1, 2).unflatten(2, [len(rows), -1])


def nchw_to_nhwc(x):
    return x.permute([0, 2, 3, 1])


def nhwc_to_nchw(x):
    return x.permute([0, 3, 1, 2])
