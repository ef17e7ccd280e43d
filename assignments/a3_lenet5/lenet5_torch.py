# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Assignment 3: LeNet-5 and its training loop, in PyTorch.

Conventions of everything here:

- Images are (N, C, H, W), weights of a linear layer (out, in). Autograd computes the gradients.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device, unless
  a docstring says otherwise; results have the same. Nothing here names a device of its own.
- No tensor is empty, and there is at least one batch.
- An answer is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times).
- ``F`` is ``torch.nn.functional``; import it where you use it.
- A single number is returned as a Python number; a tensor without axes or a NumPy scalar passes too.
- Nothing is forbidden.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

Batches = Iterable[tuple[Tensor, Tensor]]


class LeNet5(nn.Module):
    """LeNet-5 in its modern form: what ``lenet5_forward`` computes, as a module.

    The plan and the sizes are those of ``lenet5_forward``: conv1, conv2, fc1, fc2 and fc3, each with a bias; ReLU after
    all but the last; 2 x 2 max pooling after the ReLU of each convolution; logits at the end.

    The state dictionary holds "conv1.weight" (6, 1, 5, 5), "conv1.bias" (6,), "conv2.weight" (16, 6, 5, 5),
    "conv2.bias" (16,), "fc1.weight" (120, 400), "fc1.bias" (120,), "fc2.weight" (84, 120), "fc2.bias" (84,),
    "fc3.weight" (10, 84), "fc3.bias" (10,), and nothing else.

    Allowed: everything in ``torch.nn`` and ``torch.nn.functional``.
    Handout: §7 In PyTorch.
    """

    def __init__(self) -> None:
        """Create the layers, with initial values of your choice (PyTorch's will do), no two filters of a
        convolution alike, and no two rows of a linear layer's weights.
        """
        raise NotImplementedError("LeNet5.__init__")

    def forward(self, x: Float[Tensor, "N 1 32 32"]) -> Float[Tensor, "N 10"]:
        """Apply the network.

        Args:
            x: images, shape (N, 1, 32, 32), used as they are: no scaling. In memory they may lie channels last.

        Returns:
            The logits, shape (N, 10). Gradients reach x and all parameters; which one where a ReLU is at 0 or pixels
            tie is left open.
        """
        raise NotImplementedError("LeNet5.forward")


def train_epoch(
    model: nn.Module, batches: Batches, optimizer: torch.optim.Optimizer, device: torch.device | str
) -> float:
    """Train a classifier on each batch once: one step of the optimizer for each, in the given order.

    The loss of a batch is ``F.cross_entropy`` of the model's logits, a mean over the batch, and each step uses the
    gradient of its own batch alone. The whole model is trained in training mode, whatever mode it, or a part of it,
    comes in.

    Args:
        model: takes images to logits, shape (N, classes), which may be as large as 1e5 or -1e5. It is on ``device``
            already, holds no gradients yet, and uses all of its parameters for each batch.
        batches: pairs (x, y) of images and classes, from a list, a DataLoader or any other iterable, which may be
            exhausted after one pass; they may be on another device. The last batch may be smaller.
        optimizer: holds all parameters of the model. Its ``step`` needs no closure.
        device: where to compute.

    Returns:
        The mean loss per sample over the epoch, each sample's loss taken before the step of its batch, in the pass from
        which the step follows.

    Handout: §7 In PyTorch.
    """
    raise NotImplementedError("train_epoch")


def evaluate(model: nn.Module, batches: Batches, device: torch.device | str) -> tuple[float, float]:
    """Measure loss and accuracy of a classifier, and leave no trace in it.

    The model computes in evaluation mode and without recording gradients (``torch.inference_mode`` will do as well).
    Afterwards every module in it is in the mode that it was in before: some may be in training mode and some, frozen
    for instance, in evaluation mode, and one module may be a part of two others. Whoever calls has gradients recorded,
    and afterwards they are recorded again. Nothing is asked of a call in which the model or the batches raise an error.

    Args:
        model: takes images to logits, shape (N, classes), which may be as large as 1e5 or -1e5. It is on ``device``
            already.
        batches: pairs (x, y) of images and classes, from any iterable, which may be exhausted after one pass; they may
            be on another device. The last batch may be smaller, and every sample counts the same.
        device: where to compute.

    Returns:
        (loss, accuracy): the mean cross-entropy per sample, and the fraction of samples, 0 ... 1, for which the largest
        logit is that of the right class (where several are largest, but for rounding errors, it is left open which one
        counts).

    Handout: §7 In PyTorch.
    """
    raise NotImplementedError("evaluate")


def load_parameters(model: nn.Module, params: Mapping[str, np.ndarray]) -> None:
    """Carry parameters from NumPy into a model, which may be training already.

    The values are copied: changing an array afterwards does not change the model. The model's parameters and buffers
    (such as running means and variances) remain the objects that they were, so that an optimizer still holds them, and
    keep their dtype and device. Nothing else about the model changes: modes, gradients, ``requires_grad``.

    Args:
        model: its state dictionary, of parameters and buffers, has exactly the keys of params, and holds nothing under
            two names. The model may have other buffers, which are not in its state dictionary and stay as they are.
        params: arrays by name, in no particular order, contiguous (row by row), shaped like what they go into, of at
            least one axis (``nn.BatchNorm1d`` has a counter without axes, so the model does not contain it). Floating
            tensors are given float32 or float64 arrays, and int64 tensors, which count, int64 arrays from 0 to
            2 ** 53 - 1.

    Handout: §7 In PyTorch.
    """
    raise NotImplementedError("load_parameters")
