"""Assignment 1, PyTorch. The geometry comes from the NumPy part."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from convolution import _pair, output_size


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
    """Convolve with ``F.unfold`` and a matrix product: what ``F.conv2d`` computes.

        y[n, f, i, j] = bias[f] + sum over c, u, v of xp[n, c, sh * i + dh * u, sw * j + dw * v] * weight[f, c, u, v]

    where xp is x padded with ph rows of zeros above and below and pw columns left and right. A window takes kh rows,
    dh apart, and kw columns, dw apart; windows that do not lie wholly in xp are left out:

        Ho = floor((H + 2 * ph - dh * (kh - 1) - 1) / sh) + 1,    Wo likewise

    Args:
        x: images, shape (N, C, H, W).
        weight: filters, shape (F, C, kh, kw).
        bias: biases, shape (F,), or None for none.
        stride: (sh, sw) or one number for both, >= 1.
        padding: (ph, pw) or one number for both, >= 0; with zeros.
        dilation: (dh, dw) or one number for both, >= 1.

    Returns:
        y, shape (N, F, Ho, Wo). Gradients reach x, weight and bias.

    Allowed: ``F.unfold``.
    Forbidden: nn.Conv2d, F.conv2d, torch.conv2d and their relatives (conv1d, conv3d, transposed), torch.fft.
    Handout: §9 In PyTorch.
    """
    cols = F.unfold(x, weight.shape[2:], stride=stride, padding=padding, dilation=dilation)
    matrix = weight.reshape(weight.shape[0], -1)
    if bias is not None:  # one more weight, that meets a 1 everywhere
        matrix = torch.cat([matrix, bias[:, None]], dim=1)
        cols = torch.cat([cols, torch.ones_like(cols[:, :1])], dim=1)
    four = zip(x.shape[2:], weight.shape[2:], _pair(stride), _pair(padding), _pair(dilation))
    sizes = [output_size(n, k, stride=s, padding=p, dilation=d) for n, k, s, p, d in four]
    return torch.matmul(matrix, cols).reshape(x.shape[0], -1, *sizes)


class Conv2d(nn.Module):
    """Convolution layer, a replacement for ``nn.Conv2d`` with its parameter names.

        y[n, f, i, j] = bias[f] + sum over c, u, v of xp[n, c, sh * i + u, sw * j + v] * weight[f, c, u, v]

    where xp is x padded with ph rows of zeros above and below and pw columns left and right; windows that do not lie
    wholly in xp are left out (floor). C is ``in_channels``, F is ``out_channels``.

    Attributes:
        weight: ``nn.Parameter``, shape (F, C, kh, kw).
        bias: ``nn.Parameter``, shape (F,), or None if the layer was made with ``bias=False``.

    The state dictionary holds ``weight`` and ``bias`` (only ``weight`` without a bias) and nothing else.

    Allowed: ``F.pad``, ``Tensor.unfold`` (a method of tensors that slides a window along one axis), loops over the
    positions of the kernel.
    Forbidden: nn.Conv2d, F.conv2d, torch.conv2d and their relatives (conv1d, conv3d, transposed), nn.Unfold, F.unfold,
    torch.fft.
    Handout: §9 In PyTorch.
    """
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
        """Register the parameters, with initial values of your choice (small, random, in the default dtype).

        Args:
            in_channels: channels C of the images.
            out_channels: number F of filters.
            kernel_size: (kh, kw) or one number for both.
            stride: (sh, sw) or one number for both, >= 1.
            padding: (ph, pw) or one number for both, >= 0; with zeros.
            bias: whether the layer adds a bias.
        """
        super().__init__()
        like = nn.Linear(in_channels * _pair(kernel_size)[0] * _pair(kernel_size)[1], out_channels, bias)
        self.weight = nn.Parameter(like.weight.detach().reshape(out_channels, in_channels, *_pair(kernel_size)))
        self.bias = like.bias
        self.stride, self.padding = _pair(stride), _pair(padding)

    def forward(self, x):
        """Apply the layer.

        Args:
            x: images, shape (N, C, H, W).

        Returns:
            y, shape (N, F, Ho, Wo), with Ho = floor((H + 2 * ph - kh) / sh) + 1 and Wo likewise.
        """
        ph, pw = self.padding
        windows = F.pad(x, (pw, pw, ph, ph))
        for axis in (0, 1):
            windows = windows.unfold(2 + axis, self.weight.shape[2 + axis], self.stride[axis])
        pixels = windows.permute(0, 2, 3, 1, 4, 5).flatten(3)
        return nhwc_to_nchw(F.linear(pixels, self.weight.flatten(1), self.bias))


def nchw_to_nhwc(x):
    """Move the channels to the last axis, where many libraries and image files have them.

    The pixel of image n, channel c, row i and column j stands at x[n, c, i, j] before and at [n, i, j, c] after. A
    reshape gives the same shape and scatters the pixels.

    Args:
        x: images, shape (N, C, H, W), any dtype.

    Returns:
        A view of shape (N, H, W, C) that shares the storage of x: nothing is copied, and what is written into one is
        seen in the other.

    Forbidden: nothing.
    Handout: §9 In PyTorch.
    """
    return x.movedim((1, 2, 3), (3, 1, 2))


def nhwc_to_nchw(x):
    """Move the channels from the last axis to the second, where PyTorch's layers want them.

    It undoes ``nchw_to_nhwc``: the pixel at x[n, i, j, c] before stands at [n, c, i, j] after.

    Args:
        x: images, shape (N, H, W, C), any dtype.

    Returns:
        A view of shape (N, C, H, W) that shares the storage of x: nothing is copied.

    Forbidden: nothing.
    Handout: §9 In PyTorch.
    """
    return x.movedim((1, 2, 3), (2, 3, 1))
