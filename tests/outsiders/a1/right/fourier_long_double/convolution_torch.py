# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Assignment 1: convolution layers, in PyTorch.

Conventions of everything here:

- Images are (N, C, H, W), weights (F, C, kh, kw), and one number where a ``Pair`` is wanted stands for both axes.
- Autograd computes the gradients, so write every step with differentiable tensor operations.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- The floating tensors and parameters of one call have one dtype, float32 or float64, whichever is PyTorch's default,
  and lie on one device; results have the same.
- ``F`` is ``torch.nn.functional``; import it where you use it.
- What stands after "Forbidden" may be used neither here nor in what you call here. All else is allowed; "Allowed" names
  what you may want.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

import torch.nn.functional as F
import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

Pair = int | tuple[int, int]

def _pair(value):
    return value if isinstance(value, tuple) else (value, value)

def _picks(size, kernel, stride, padding, dilation, like):
    """picks[i, u, r] is 1 where place u of window i looks at sample r; the padding has no sample."""
    windows = (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
    i, u = torch.arange(windows)[:, None, None], torch.arange(kernel)[:, None]
    return (stride * i + dilation * u - padding == torch.arange(size)).to(like.device, like.dtype)


def conv2d_unfold(
    x: Float[Tensor, "N C H W"],
    weight: Float[Tensor, "F C kh kw"],
    bias: Float[Tensor, " F"] | None = None,
    stride: Pair = 1,
    padding: Pair = 0,
    dilation: Pair = 1,
) -> Float[Tensor, "N F Ho Wo"]:
    """Compute what ``F.conv2d`` does, by laying out windows as columns and a matrix product.

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
    Forbidden: nn.*Conv*, F.conv*, torch.conv*, torch.*convolution* (* stands for any letters), torch.fft.
    Handout: §9 In PyTorch.
    """
    sides = zip(x.shape[2:], weight.shape[2:], _pair(stride), _pair(padding), _pair(dilation))
    rows, columns = (_picks(*side, like=x) for side in sides)
    windows = torch.einsum("ncrs,iur,jvs->ncuvij", x, rows, columns)
    y = torch.matmul(weight.reshape(len(weight), -1), windows.reshape(len(x), -1, len(rows) * len(columns)))
    y = y.reshape(len(x), len(weight), len(rows), len(columns))
    return y if bias is None else torch.add(y, bias.reshape(1, -1, 1, 1))


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
    Forbidden: nn.*Conv*, F.conv*, torch.conv*, torch.*convolution* (* stands for any letters), nn.Unfold, F.unfold,
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
        """Register the parameters, in the default dtype. Their first values are yours to choose: random weights,
        whose absolute values are below 1 on average, so that no two filters begin alike; biases may be 0.

        Args:
            in_channels: channels C of the images.
            out_channels: number F of filters.
            kernel_size: (kh, kw) or one number for both.
            stride: (sh, sw) or one number for both, >= 1.
            padding: (ph, pw) or one number for both, >= 0; with zeros.
            bias: whether the layer adds a bias.
        """
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels, *_pair(kernel_size)))
        self.bias = nn.Parameter(torch.zeros(out_channels)) if bias else None
        nn.init.trunc_normal_(self.weight, std=0.3)
        self.stride, self.padding = _pair(stride), _pair(padding)

    def forward(self, x: Float[Tensor, "N C H W"]) -> Float[Tensor, "N F Ho Wo"]:
        """Apply the layer. It can be applied again, to images of any other size.

        Args:
            x: images, shape (N, C, H, W).

        Returns:
            y, shape (N, F, Ho, Wo), with Ho = floor((H + 2 * ph - kh) / sh) + 1 and Wo likewise.
        """
        (sh, sw), (ph, pw), (kh, kw) = self.stride, self.padding, self.weight.shape[2:]
        framed = F.pad(x, (pw, pw, ph, ph)).movedim(1, -1)
        height, width = framed.shape[1] - kh + 1, framed.shape[2] - kw + 1
        y = 0 if self.bias is None else self.bias
        for u in range(kh):
            for v in range(kw):
                y = y + F.linear(framed[:, u : u + height : sh, v : v + width : sw], self.weight[:, :, u, v])
        return y.movedim(-1, 1)


def nchw_to_nhwc(x: Shaped[Tensor, "N C H W"]) -> Shaped[Tensor, "N H W C"]:
    """Move the channels to the last axis, where many libraries and image files have them.

    The pixel of image n, channel c, row i and column j stands at x[n, c, i, j] before and at [n, i, j, c] after. A
    reshape gives the same shape and scatters the pixels.

    Args:
        x: images, shape (N, C, H, W), any dtype.

    Returns:
        A view of shape (N, H, W, C) that shares the storage of x: nothing is copied, and what is written into one is
        seen in the other. Gradients reach x through it.

    Handout: §9 In PyTorch.
    """
    return x.permute(0, 2, 3, 1)


def nhwc_to_nchw(x: Shaped[Tensor, "N H W C"]) -> Shaped[Tensor, "N C H W"]:
    """Move the channels from the last axis to the second, where PyTorch's layers want them.

    It undoes ``nchw_to_nhwc``: the pixel at x[n, i, j, c] before stands at [n, c, i, j] after.

    Args:
        x: images, shape (N, H, W, C), any dtype.

    Returns:
        A view of shape (N, C, H, W) that shares the storage of x: nothing is copied. Gradients reach x through it.

    Handout: §9 In PyTorch.
    """
    return x.permute(0, 3, 1, 2)
