# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 1: convolution layers, in PyTorch.

The conventions are those of ``convolution.py``: images (N, C, H, W), weights (F, C, kh, kw), and one number where a
``Pair`` is wanted stands for both axes. Autograd computes the gradients, so write every step with differentiable
tensor operations. The result has the dtype and device of the arguments.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn

Pair = int | tuple[int, int]


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
    Handout: §8 In PyTorch.
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
