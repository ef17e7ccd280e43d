# This file is yours: put your code where it raises NotImplementedError, then run "python -m checks".
"""Assignment 3: LeNet-5 and its training loop, in PyTorch.

Conventions of everything here:

- Images are (N, C, H, W), weights of a linear layer (out, in). Autograd computes the gradients.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device, unless
  a docstring says otherwise; results have the same. Nothing here names a device of its own.
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

class _Weighted(nn.Module):
    """A weight and a bias, whatever they are used for."""

    def __init__(self, *shape: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(shape) * (2 / np.prod(shape[1:])) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(shape[0]))

    def conv(self, x: Tensor) -> Tensor:
        columns = nn.functional.unfold(x, 5)
        y = torch.einsum("fk,nkp->nfp", self.weight.reshape(len(self.weight), -1), columns) + self.bias[:, None]
        return y.unflatten(2, (x.shape[2] - 4, x.shape[3] - 4))

    def dense(self, x: Tensor) -> Tensor:
        return torch.einsum("ni,oi->no", x, self.weight) + self.bias


def _pool(x: Tensor) -> Tensor:
    return x.unfold(2, 2, 2).unfold(3, 2, 2).amax(dim=(-2, -1))


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
        """Create the layers, with initial values of your choice (PyTorch's will do), no two filters of a layer
        alike.
        """
        super().__init__()
        self.conv1, self.conv2 = _Weighted(6, 1, 5, 5), _Weighted(16, 6, 5, 5)
        self.fc1, self.fc2, self.fc3 = _Weighted(120, 400), _Weighted(84, 120), _Weighted(10, 84)

    def forward(self, x: Float[Tensor, "N 1 32 32"]) -> Float[Tensor, "N 10"]:
        """Apply the network.

        Args:
            x: images, shape (N, 1, 32, 32), used as they are: no scaling. In memory they may lie channels last.

        Returns:
            The logits, shape (N, 10). Gradients reach x and all parameters; which one where a ReLU is at 0 or pixels
            tie is left open.
        """
        x = _pool(self.conv1.conv(x).clamp(min=0))
        x = _pool(self.conv2.conv(x).clamp(min=0))
        x = self.fc1.dense(torch.flatten(x, start_dim=1)).clamp(min=0)
        return self.fc3.dense(self.fc2.dense(x).clamp(min=0))


def train_epoch(
    model: nn.Module, batches: Batches, optimizer: torch.optim.Optimizer, device: torch.device | str
) -> float:
    """Train a classifier on each batch once: one step of the optimizer for each, in the given order.

    The loss of a batch is ``F.cross_entropy`` of the model's logits, a mean over the batch, and each step uses the
    gradient of its own batch alone. The whole model is trained in training mode, whatever mode it, or a part of it,
    comes in.

    Args:
        model: takes images to logits, shape (N, classes); it is on ``device`` already and holds no gradients yet.
        batches: pairs (x, y) of images and classes, from a list, a DataLoader or any other iterable, which may be
            exhausted after one pass; they may be on another device. The last batch may be smaller.
        optimizer: holds all parameters of the model.
        device: where to compute.

    Returns:
        The mean loss per sample over the epoch, each sample's loss taken before the step of its batch.

    Handout: §7 In PyTorch.
    """
    weighted, sizes = [], []
    for module in model.modules():
        module.training = True
    for x, y in batches:

        def closure():
            optimizer.zero_grad(set_to_none=False)
            loss = nn.CrossEntropyLoss()(model(x.to(device)), y.to(device))
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        sizes.append(x.shape[0])
        weighted.append(float(loss.detach()) * sizes[-1])
    return sum(weighted) / sum(sizes)


def evaluate(model: nn.Module, batches: Batches, device: torch.device | str) -> tuple[float, float]:
    """Measure loss and accuracy of a classifier, and leave no trace in it.

    The model computes in evaluation mode and without recording gradients (``torch.inference_mode`` will do as well).
    Afterwards every module in it is in the mode that it was in before: some may be in training mode and some, frozen
    for instance, in evaluation mode, and one module may be a part of two others.

    Args:
        model: takes images to logits, shape (N, classes); it is on ``device`` already.
        batches: pairs (x, y) of images and classes, from any iterable, which may be exhausted after one pass; they may
            be on another device. The last batch may be smaller, and every sample counts the same.
        device: where to compute.

    Returns:
        (loss, accuracy): the mean cross-entropy per sample, and the fraction of samples, 0 ... 1, for which the largest
        logit is that of the right class (where several are largest, but for rounding errors, it is left open which one
        counts).

    Handout: §7 In PyTorch.
    """
    training = [module for module in model.modules() if module.training]
    with torch.no_grad():
        model.train(False)
        answers = [(model(x.to(device)), y.to(device)) for x, y in batches]
        logits, y = (torch.cat(parts) for parts in zip(*answers))
        log_p = logits - logits.logsumexp(dim=1, keepdim=True)
        loss = -log_p.gather(1, y[:, None]).mean()
        right = (logits.gather(1, y[:, None])[:, 0] >= logits.amax(dim=1)).double().mean()
    for module in training:
        module.training = True
    return float(loss), float(right)


def load_parameters(model: nn.Module, params: Mapping[str, np.ndarray]) -> None:
    """Carry parameters from NumPy into a model, which may be training already.

    The values are copied: changing an array afterwards does not change the model. The model's parameters and buffers
    (such as the running statistics of batch normalization) remain the objects that they were, so that an optimizer
    still holds them, and keep their dtype and device.

    Args:
        model: its state dictionary, of parameters and buffers, has exactly the keys of params, and holds nothing under
            two names. The model may have other buffers, which are not in its state dictionary and stay as they are.
        params: arrays by name, contiguous (row by row), of at least one axis, shaped like what they go into; float32 or
            float64, for counters int64, below 2 ** 53.

    Handout: §7 In PyTorch.
    """
    held = model.state_dict(keep_vars=True)
    for name in params:
        held[name].data[...] = torch.tensor(params[name], dtype=held[name].dtype, device=held[name].device)
