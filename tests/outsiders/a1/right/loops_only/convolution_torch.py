from __future__ import annotations

import torch
from torch import nn


def _pair(p):
    return p if isinstance(p, tuple) else (p, p)


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    import torch.nn.functional as F

    (sh, sw), (ph, pw), (dh, dw) = _pair(stride), _pair(padding), _pair(dilation)
    n, _, height, width = x.shape
    f, _, kh, kw = weight.shape
    ho = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    wo = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    images = []
    for k in range(n):
        cols = F.unfold(x[k : k + 1], (kh, kw), dilation=(dh, dw), padding=(ph, pw), stride=(sh, sw))[0]
        y = weight.reshape(f, -1) @ cols
        if bias is not None:
            y = y + bias.reshape(f, 1)
        images.append(y.reshape(f, ho, wo))
    return torch.stack(images)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        kh, kw = _pair(kernel_size)
        self.stride, self.padding = _pair(stride), _pair(padding)
        bound = (in_channels * kh * kw) ** -0.5
        self.weight = nn.Parameter((2 * torch.rand(out_channels, in_channels, kh, kw) - 1) * bound)
        if bias:
            self.bias = nn.Parameter((2 * torch.rand(out_channels) - 1) * bound)
        else:
            self.bias = None

    def forward(self, x):
        import torch.nn.functional as F

        (sh, sw), (ph, pw) = self.stride, self.padding
        xp = F.pad(x, (pw, pw, ph, ph))
        kh, kw = self.weight.shape[2:]
        ho, wo = (xp.shape[2] - kh) // sh + 1, (xp.shape[3] - kw) // sw + 1
        y = 0
        for u in range(kh):
            for v in range(kw):
                seen = xp[:, :, u : u + sh * (ho - 1) + 1 : sh, v : v + sw * (wo - 1) + 1 : sw]
                y = y + torch.einsum("nchw,fc->nfhw", seen, self.weight[:, :, u, v])
        return y if self.bias is None else y + self.bias[:, None, None]


def nchw_to_nhwc(x):
    return x.permute(0, 2, 3, 1)


def nhwc_to_nchw(x):
    return x.permute(0, 3, 1, 2)
