"""作业一：PyTorch。"""

from __future__ import annotations

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from 形状 import 一对


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    N = x.size(0)
    filters, C, kh, kw = weight.size()
    sh, sw = 一对(stride)
    ph, pw = 一对(padding)
    dh, dw = 一对(dilation)
    Ho = math.floor((x.size(2) + 2 * ph - dh * (kh - 1) - 1) / sh) + 1
    Wo = math.floor((x.size(3) + 2 * pw - dw * (kw - 1) - 1) / sw) + 1
    cols = F.unfold(x, kernel_size=(kh, kw), dilation=(dh, dw), padding=(ph, pw), stride=(sh, sw))
    # (N, K, L) -> (K, N * L)
    big = cols.permute(1, 0, 2).reshape(C * kh * kw, N * Ho * Wo)
    if bias is None:
        product = torch.mm(weight.reshape(filters, -1), big)
    else:
        product = torch.addmm(bias.unsqueeze(1), weight.reshape(filters, -1), big)
    return product.reshape(filters, N, Ho, Wo).transpose(0, 1)


class Conv2d(nn.Module):
    """卷积层。"""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super(Conv2d, self).__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = 一对(kernel_size)
        self.stride = 一对(stride)
        self.padding = 一对(padding)
        self.weight = nn.Parameter(torch.Tensor(out_channels, in_channels, *self.kernel_size))
        if bias:
            self.bias = nn.Parameter(torch.Tensor(out_channels))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in_channels * self.kernel_size[0] * self.kernel_size[1])
        with torch.no_grad():
            self.weight.uniform_(-bound, bound)
            if self.bias is not None:
                self.bias.uniform_(-bound, bound)

    def forward(self, x):
        kh, kw = self.kernel_size
        sh, sw = self.stride
        ph, pw = self.padding
        xp = F.pad(x, (pw, pw, ph, ph), mode="constant", value=0)
        Ho = (xp.size(2) - kh) // sh + 1
        Wo = (xp.size(3) - kw) // sw + 1
        y = xp.new_zeros((xp.size(0), self.out_channels, Ho, Wo))
        for u in range(kh):
            for v in range(kw):
                piece = xp[:, :, u : u + (Ho - 1) * sh + 1 : sh, v : v + (Wo - 1) * sw + 1 : sw]
                # (F, C) 乘 (N, C, Ho * Wo)
                part = self.weight[:, :, u, v] @ piece.reshape(piece.size(0), self.in_channels, Ho * Wo)
                y += part.view(-1, self.out_channels, Ho, Wo)
        if self.bias is not None:
            y += self.bias.view(1, -1, 1, 1)
        return y


def nchw_to_nhwc(x):
    N, C, H, W = range(4)
    return x.permute(N, H, W, C)


def nhwc_to_nchw(x):
    N, H, W, C = range(4)
    return x.permute(N, C, H, W)
