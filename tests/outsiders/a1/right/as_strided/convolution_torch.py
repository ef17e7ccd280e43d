"""Assignment 1, PyTorch, by strides."""

import torch
from torch import nn
from torch.nn import functional

Pair = int | tuple[int, int]


def _pair(p):
    return (p, p) if isinstance(p, int) else tuple(p)


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
    F, C, kh, kw = weight.shape
    unfold = nn.Unfold((kh, kw), dilation=dilation, padding=padding, stride=stride)
    y = weight.reshape(F, -1).matmul(unfold(x))
    if bias is not None:
        y = y + bias.reshape(1, F, 1)
    out = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, p, d, k, s in zip(x.shape[2:], _pair(padding), _pair(dilation), (kh, kw), _pair(stride))
    ]
    return y.reshape(x.shape[0], F, *out)


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
        self.kernel_size, self.stride, self.padding = _pair(kernel_size), _pair(stride), _pair(padding)
        fan_in = in_channels * self.kernel_size[0] * self.kernel_size[1]
        self.weight = nn.Parameter(torch.randn(out_channels, in_channels, *self.kernel_size) / fan_in**0.5)
        self.register_parameter("bias", nn.Parameter(torch.zeros(out_channels)) if bias else None)

    def forward(self, x):
        """Apply the layer.

        Args:
            x: images, shape (N, C, H, W).

        Returns:
            y, shape (N, F, Ho, Wo), with Ho = floor((H + 2 * ph - kh) / sh) + 1 and Wo likewise.
        """
        (kh, kw), (sh, sw), (ph, pw) = self.kernel_size, self.stride, self.padding
        xp = functional.pad(x, (pw, pw, ph, ph)).contiguous()
        N, C, H, W = xp.shape
        a, c, r, q = xp.stride()
        Ho, Wo = (H - kh) // sh + 1, (W - kw) // sw + 1
        view = xp.as_strided((N, C, kh, kw, Ho, Wo), (a, c, r, q, r * sh, q * sw))
        y = torch.tensordot(view, self.weight, dims=([1, 2, 3], [1, 2, 3])).permute(0, 3, 1, 2)
        if self.bias is not None:
            y = y + self.bias[None, :, None, None]
        return y


def _restride(x, order):
    return x.as_strided([x.shape[k] for k in order], [x.stride(k) for k in order], x.storage_offset())


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
    return _restride(x, (0, 2, 3, 1))


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
    return _restride(x, (0, 3, 1, 2))
