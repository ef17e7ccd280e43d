# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Assignment 2: an activation and two normalization layers, in PyTorch.

Conventions of everything here:

- The formulas are those of ``activations.py``, and what is said there about small numbers, about those far from zero
  and about rounding holds here too. In ``SigmoidFunction`` you write the backward pass yourself; in the two layers
  autograd computes the gradients, so write every step with differentiable tensor operations.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device; results
  have the same.
- ``F`` is ``torch.nn.functional``; import it where you use it.
- What stands after "Forbidden" may be used neither here nor in what you call here. Where there is no such line, all
  is allowed.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn


class SigmoidFunction(torch.autograd.Function):
    """The logistic sigmoid with a backward pass of your own, used as ``y = SigmoidFunction.apply(x)``.

    PyTorch records nothing inside ``forward``. It calls ``backward`` instead, later and possibly after other calls of
    ``forward``, so whatever the backward pass needs travels in ``ctx``, which each call has to itself.

    At x = 1000 the sigmoid is 1, at x = -1000 it is 0, and its slope is 0 at both: nothing is NaN or infinite. Only
    first derivatives are graded.

    Forbidden: torch.*sigmoid*, F.*sigmoid, nn.*Sigmoid, Tensor.sigmoid* (* stands for any letters), torch.tanh*,
    F.tanh, nn.Tanh, Tensor.tanh*, F.silu, nn.SiLU, F.glu, nn.GLU, torch.special.
    Handout: §8 In PyTorch.
    """

    @staticmethod
    def forward(ctx: Any, x: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """Compute the sigmoid, entry by entry, and keep what the backward pass needs.

        Args:
            ctx: keeps tensors by ``ctx.save_for_backward(...)``.
            x: any shape.

        Returns:
            y, shape of x.
        """
        raise NotImplementedError("SigmoidFunction.forward")

    @staticmethod
    def backward(ctx: Any, dy: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """From the gradient of the output to the gradient of the input.

        Args:
            ctx: gives the tensors back as ``ctx.saved_tensors``, a tuple.
            dy: gradient of y.

        Returns:
            dx, shape of x.
        """
        raise NotImplementedError("SigmoidFunction.backward")


class BatchNorm2d(nn.Module):
    """Batch normalization of images, a replacement for ``nn.BatchNorm2d`` with its names.

    In training (``self.training`` is true; ``.train()`` and ``.eval()`` switch it, whether or not gradients are
    recorded) the layer normalizes with the statistics of the batch, taken for each channel over all samples and pixels,
    and moves its running statistics towards them. In evaluation it normalizes with the running statistics and leaves
    them alone. Formulas: ``batch_norm_forward``. Gradients reach the input, the weight and the bias, in both modes; in
    training they take into account that the statistics of the batch depend on the input. The running statistics carry
    no gradients.

    Attributes:
        weight: ``nn.Parameter``, gamma, shape (C,), at first 1.
        bias: ``nn.Parameter``, beta, shape (C,), at first 0.
        running_mean: buffer, shape (C,), at first 0.
        running_var: buffer, shape (C,), at first 1; of unbiased variances.
        num_batches_tracked: buffer, an int64 scalar, at first 0: how many batches the layer has been trained on.

    The state dictionary holds these five and nothing else. Buffers may be updated in place or assigned anew.

    Forbidden: nn.*Norm* (* stands for any letters), F.batch_norm, F.instance_norm, F.group_norm, F.layer_norm,
    F.rms_norm, torch.*batch_norm*, torch.instance_norm, torch.*group_norm, torch.*layer_norm, torch.*rms_norm.
    Handout: §8 In PyTorch.
    """

    running_mean: Tensor
    running_var: Tensor
    num_batches_tracked: Tensor

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        """Register parameters and buffers.

        Args:
            num_features: channels C of the images.
            eps: added to the variance, >= 0; where it is 0, no variance is, but one may be as small as 1e-20.
            momentum: weight of the new batch in the running statistics, from 0 to 1.
        """
        raise NotImplementedError("BatchNorm2d.__init__")

    def forward(self, x: Float[Tensor, "N C H W"]) -> Float[Tensor, "N C H W"]:
        """Normalize a batch; in training, update the buffers too.

        Args:
            x: images, shape (N, C, H, W); in training with more than one value per channel, with at least three where
                gradients are computed.

        Returns:
            y, shape of x.
        """
        raise NotImplementedError("BatchNorm2d.forward")


class LayerNorm(nn.Module):
    """Layer normalization, a replacement for ``nn.LayerNorm`` with its names.

    Each sample is normalized by itself, over the last axes, those of ``normalized_shape``. Formulas:
    ``layer_norm_forward``. Training and evaluation do not differ. Gradients reach the input, the weight and the bias.

    Attributes:
        weight: ``nn.Parameter``, gamma, shape ``normalized_shape``, at first 1.
        bias: ``nn.Parameter``, beta, shape ``normalized_shape``, at first 0.

    The state dictionary holds these two and nothing else.

    Forbidden: nn.*Norm* (* stands for any letters), F.batch_norm, F.instance_norm, F.group_norm, F.layer_norm,
    F.rms_norm, torch.*batch_norm*, torch.instance_norm, torch.*group_norm, torch.*layer_norm, torch.*rms_norm.
    Handout: §8 In PyTorch.
    """

    def __init__(self, normalized_shape: int | tuple[int, ...], eps: float = 1e-5) -> None:
        """Register the parameters.

        Args:
            normalized_shape: the last axes of the input, over which it is normalized; one number for one axis. They do
                not hold two entries where gradients are computed.
            eps: added to the variance, >= 0; where it is 0, no variance is, but one may be as small as 1e-20.
        """
        raise NotImplementedError("LayerNorm.__init__")

    def forward(self, x: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """Normalize.

        Args:
            x: its shape ends in ``normalized_shape``; any number of axes before that.

        Returns:
            y, shape of x.
        """
        raise NotImplementedError("LayerNorm.forward")
