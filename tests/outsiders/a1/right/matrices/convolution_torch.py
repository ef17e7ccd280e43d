"""A backward pass of one's own (autograd.Function) and selection matrices."""

from __future__ import annotations

import torch
from torch import nn


def _pair(p):
    return (p[0], p[1]) if isinstance(p, (tuple, list)) else (p, p)


class _Product(torch.autograd.Function):
    """weights (F, K) times columns (N, K, L), with its gradients by hand."""

    @staticmethod
    def forward(ctx, weights, cols):
        ctx.save_for_backward(weights, cols)
        return weights @ cols

    @staticmethod
    def backward(ctx, dy):
        weights, cols = ctx.saved_tensors
        return (dy @ cols.transpose(1, 2)).sum(0), weights.t() @ dy


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    from torch.nn.functional import unfold

    stride, padding, dilation = map(_pair, (stride, padding, dilation))
    filters, _, kh, kw = weight.shape
    cols = unfold(x, (kh, kw), dilation, padding, stride)
    y = _Product.apply(weight.reshape(filters, -1), cols)
    if bias is not None:
        y = y + bias.reshape(1, filters, 1)
    Wo = (x.shape[3] + 2 * padding[1] - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    return y.reshape(x.shape[0], filters, -1, Wo)


def _select(n, k, stride, padding, like):
    """S[u, i, r] = 1 where place u of window i sees sample r; the padding has no columns."""
    windows = (n + 2 * padding - k) // stride + 1
    u, i, r = (torch.arange(size, device=like.device) for size in (k, windows, n))
    return (stride * i[:, None] + u[:, None, None] - padding == r).to(like.dtype)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels, *_pair(kernel_size)) * 0.2)
        self.bias = nn.Parameter(torch.randn(out_channels) * 0.01) if bias else None
        self.stride, self.padding = _pair(stride), _pair(padding)

    def forward(self, x):
        four = x.shape[2:], self.weight.shape[2:], self.stride, self.padding
        R, Q = (_select(n, k, s, p, x) for n, k, s, p in zip(*four))
        y = None
        for u in range(R.shape[0]):
            for v in range(Q.shape[0]):
                seen = R[u] @ x @ Q[v].t()
                part = (self.weight[:, :, u, v] @ seen.flatten(2)).unflatten(2, seen.shape[2:])
                y = part if y is None else y + part
        return y if self.bias is None else y + self.bias[None, :, None, None]


def nchw_to_nhwc(x):
    return torch.permute(x, [0, 2, 3, 1])


def nhwc_to_nchw(x):
    return torch.moveaxis(x, -1, -3)
