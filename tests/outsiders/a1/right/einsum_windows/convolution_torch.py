"""Assignment 1 in PyTorch, with einsum."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Float, Shaped
from torch import Tensor, nn

Pair = int | tuple[int, int]


def _pair(value: Pair) -> tuple[int, int]:
    return value if isinstance(value, tuple) else (value, value)


def conv2d_unfold(
    x: Float[Tensor, "N C H W"],
    weight: Float[Tensor, "F C kh kw"],
    bias: Float[Tensor, " F"] | None = None,
    stride: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
) -> Float[Tensor, "N F Ho Wo"]:
    cols = F.unfold(x, weight.shape[2:], dilation, padding, stride)
    y = torch.einsum("fk,nkl->nfl", weight.flatten(1), cols)
    if bias is not None:
        y = y + bias[:, None]
    height = x.shape[2] + 2 * _pair(padding)[0] - _pair(dilation)[0] * (weight.shape[2] - 1) - 1
    return y.unflatten(2, (height // _pair(stride)[0] + 1, -1))


class Conv2d(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Pair,
        stride: Pair = 1,
        padding: Pair = 0,
        bias: bool = True,
    ) -> None:
        super().__init__()
        shape = (out_channels, in_channels, *_pair(kernel_size))
        self.stride, self.padding = _pair(stride), _pair(padding)
        self.weight = nn.Parameter(torch.randn(shape) / 10)
        self.bias = nn.Parameter(torch.randn(out_channels) / 10) if bias else None

    def forward(self, x: Float[Tensor, "N C H W"]) -> Float[Tensor, "N F Ho Wo"]:
        (ph, pw), (sh, sw), (kh, kw) = self.padding, self.stride, self.weight.shape[2:]
        windows = F.pad(x, (pw, pw, ph, ph)).unfold(2, kh, sh).unfold(3, kw, sw)
        y = torch.einsum("ncijuv,fcuv->nfij", windows, self.weight)
        return y if self.bias is None else y + self.bias[:, None, None]


def nchw_to_nhwc(x: Shaped[Tensor, "N C H W"]) -> Shaped[Tensor, "N H W C"]:
    return torch.einsum("nchw->nhwc", x)


def nhwc_to_nchw(x: Shaped[Tensor, "N H W C"]) -> Shaped[Tensor, "N C H W"]:
    return torch.einsum("nhwc->nchw", x)
