# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 1: convolution layers, in PyTorch.

The conventions are those of ``convolution.py``: images (N, C, H, W), weights (F, C, kh, kw), and one number where a
``Pair`` is wanted stands for both axes. Autograd computes the gradients, so write every step with differentiable
tensor operations. The result has the dtype and device of the arguments.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from jaxtyping import Float, Shaped
from torch import Tensor, nn

Pair = int | tuple[int, int]


def conv2d_unfold(
    x: Float[Tensor, "N C H W"],
    weight: Float[Tensor, "F C kh kw"],
    bias: Float[Tensor, " F"] | None = None,
    stride: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
) -> Float[Tensor, "N F Ho Wo"]:
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
    raise NotImplementedError("conv2d_unfold")


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

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Pair,
        stride: Pair = 1,
        padding: Pair = 0,
        bias: bool = True,
    ) -> None:
        """Register the parameters, with initial values of your choice (small, random, in the default dtype).

        Args:
            in_channels: channels C of the images.
            out_channels: number F of filters.
            kernel_size: (kh, kw) or one number for both.
            stride: (sh, sw) or one number for both, >= 1.
            padding: (ph, pw) or one number for both, >= 0; with zeros.
            bias: whether the layer adds a bias.
        """
        raise NotImplementedError("Conv2d.__init__")

    def forward(self, x: Float[Tensor, "N C H W"]) -> Float[Tensor, "N F Ho Wo"]:
        """Apply the layer.

        Args:
            x: images, shape (N, C, H, W).

        Returns:
            y, shape (N, F, Ho, Wo), with Ho = floor((H + 2 * ph - kh) / sh) + 1 and Wo likewise.
        """
        raise NotImplementedError("Conv2d.forward")


def nchw_to_nhwc(x: Shaped[Tensor, "N C H W"]) -> Shaped[Tensor, "N H W C"]:
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
    raise NotImplementedError("nchw_to_nhwc")


def nhwc_to_nchw(x: Shaped[Tensor, "N H W C"]) -> Shaped[Tensor, "N C H W"]:
    """Move the channels from the last axis to the second, where PyTorch's layers want them.

    It undoes ``nchw_to_nhwc``: the pixel at x[n, i, j, c] before stands at [n, c, i, j] after.

    Args:
        x: images, shape (N, H, W, C), any dtype.

    Returns:
        A view of shape (N, C, H, W) that shares the storage of x: nothing is copied.

    Forbidden: nothing.
    Handout: §9 In PyTorch.
    """
    raise NotImplementedError("nhwc_to_nchw")
