"""Assignment 1, PyTorch."""

import torch
import torch.nn.functional as F
from torch import nn


def _two(p):
    if isinstance(p, (tuple, list)):
        return p[0], p[1]
    return p, p


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
    N, C, H, W = x.shape
    filters, _, kh, kw = weight.shape
    sh, sw = _two(stride)
    ph, pw = _two(padding)
    dh, dw = _two(dilation)
    Ho = (H + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    Wo = (W + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    cols = F.unfold(x, (kh, kw), dilation=(dh, dw), padding=(ph, pw), stride=(sh, sw))
    rows = weight.reshape(filters, C * kh * kw)
    images = []
    for n in range(N):
        y = rows @ cols[n]
        if bias is not None:
            y = y + bias.reshape(filters, 1)
        images.append(y.reshape(filters, Ho, Wo))
    return torch.stack(images)


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
        self.kh, self.kw = _two(kernel_size)
        self.sh, self.sw = _two(stride)
        self.ph, self.pw = _two(padding)
        self.weight = nn.Parameter(0.1 * torch.randn(out_channels, in_channels, self.kh, self.kw))
        if bias:
            self.bias = nn.Parameter(0.1 * torch.randn(out_channels))
        else:
            self.bias = None

    def forward(self, x):
        """Apply the layer.

        Args:
            x: images, shape (N, C, H, W).

        Returns:
            y, shape (N, F, Ho, Wo), with Ho = floor((H + 2 * ph - kh) / sh) + 1 and Wo likewise.
        """
        x = F.pad(x, (self.pw, self.pw, self.ph, self.ph))
        Ho = (x.shape[2] - self.kh) // self.sh + 1
        Wo = (x.shape[3] - self.kw) // self.sw + 1
        maps = []
        for f in range(self.weight.shape[0]):
            y = 0
            for c in range(self.weight.shape[1]):
                for u in range(self.kh):
                    for v in range(self.kw):
                        piece = x[:, c, u:u + self.sh * (Ho - 1) + 1:self.sh, v:v + self.sw * (Wo - 1) + 1:self.sw]
                        y = y + piece * self.weight[f, c, u, v]
            if self.bias is not None:
                y = y + self.bias[f]
            maps.append(y)
        return torch.stack(maps, dim=1)


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
    return x.transpose(1, 2).transpose(2, 3)


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
    return x.transpose(3, 2).transpose(2, 1)
