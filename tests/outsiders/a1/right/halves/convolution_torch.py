"""Assignment 1: convolution layers, in PyTorch."""
# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".

from __future__ import annotations

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

Pair = int | tuple[int, int]


def as_pair(value):
    return (value, value) if isinstance(value, int) else (value[0], value[1])

def gathered(x, kernel, stride, padding, dilation):
    """[n, c, u, v, i, j] by advanced indexing into a frame of zeros."""
    (ph, pw), (N, C, H, W) = padding, x.shape
    frame = x.new_zeros(N, C, H + 2 * ph, W + 2 * pw)
    frame[:, :, ph : ph + H, pw : pw + W] = x
    index = []
    for side, k, s, d in zip(frame.shape[2:], kernel, stride, dilation, strict=True):
        count = (side - d * (k - 1) - 1) // s + 1
        places = torch.arange(k, device=x.device)[:, None] * d + torch.arange(count, device=x.device) * s
        index.append(places)
    rows, columns = index
    return frame[:, :, rows[:, None, :, None], columns[None, :, None, :]]


def conv2d_unfold(
    x: Float[Tensor, "N C H W"],
    weight: Float[Tensor, "F C kh kw"],
    bias: Float[Tensor, " F"] | None = None,
    stride: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
) -> Float[Tensor, "N F Ho Wo"]:
    six = gathered(x, weight.shape[2:], as_pair(stride), as_pair(padding), as_pair(dilation))
    y = torch.tensordot(six, weight, ([1, 2, 3], [1, 2, 3]))
    if bias is not None:
        y = y + bias
    return torch.movedim(y, 3, 1)


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
        self.geometry = (as_pair(kernel_size), as_pair(stride), as_pair(padding), (1, 1))
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels, *self.geometry[0]).uniform_(-0.5, 0.5))
        self.bias = nn.Parameter(torch.rand(out_channels) - 0.5) if bias else None

    def forward(self, x: Float[Tensor, "N C H W"]) -> Float[Tensor, "N F Ho Wo"]:
        y = torch.tensordot(gathered(x, *self.geometry), self.weight, ([1, 2, 3], [1, 2, 3]))
        y = y if self.bias is None else y + self.bias
        return y.movedim(-1, 1)


def nchw_to_nhwc(x: Shaped[Tensor, "N C H W"]) -> Shaped[Tensor, "N H W C"]:
    return torch.movedim(x, 1, -1)


def nhwc_to_nchw(x: Shaped[Tensor, "N H W C"]) -> Shaped[Tensor, "N C H W"]:
    return torch.movedim(x, -1, 1)
