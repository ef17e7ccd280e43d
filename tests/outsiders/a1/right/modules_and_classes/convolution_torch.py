"""Assignment 1, PyTorch. The geometry is that of the NumPy part."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from slidingwindows.geometry import Plane, both


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    plane = Plane.of(tuple(x.shape[2:]), tuple(weight.shape[2:]), stride, padding, dilation)
    cols = F.unfold(x, tuple(weight.shape[2:]), dilation=dilation, padding=padding, stride=stride)
    y = weight.flatten(start_dim=1) @ cols
    if bias is not None:
        y = y + bias.unsqueeze(-1)
    return y.unflatten(-1, plane.shape)


class _Windows(nn.Module):
    """A part of the layer that has no parameters."""

    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.options = both(kernel_size), both(stride), both(padding)

    def forward(self, x: Tensor) -> Tensor:
        kernel_size, stride, (ph, pw) = self.options
        plane = Plane.of(tuple(x.shape[2:]), kernel_size, stride, (ph, pw))
        xp = F.pad(x, [pw, pw, ph, ph])
        return torch.stack([xp[:, :, rows, columns] for _, _, (rows, columns) in plane.places()], dim=2)


class Conv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        super().__init__()
        self.windows = _Windows(kernel_size, stride, padding)
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels, *both(kernel_size)))
        nn.init.kaiming_uniform_(self.weight, a=5**0.5)
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_channels))
        else:
            self.register_parameter("bias", None)

    def forward(self, x):
        y = torch.einsum("nckij,fck->nfij", self.windows(x), self.weight.flatten(2))
        return y if self.bias is None else y + self.bias.reshape(-1, 1, 1)

    def extra_repr(self):
        return f"{self.weight.shape[1]}, {self.weight.shape[0]}, kernel_size={tuple(self.weight.shape[2:])}"


def nchw_to_nhwc(x):
    return x.swapaxes(1, 3).swapaxes(1, 2)


def nhwc_to_nchw(x):
    return x.swapaxes(1, 2).swapaxes(1, 3)
