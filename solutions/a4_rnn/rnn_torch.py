"""Assignment 4: recurrent networks, in PyTorch.

Conventions of everything here:

- The letters are those of ``rnn.py``: U (H, D) is PyTorch's ``weight_ih``, V (H, H) its ``weight_hh``, and sequences
  are (N, T, D), which PyTorch calls ``batch_first``.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed, neither their entries nor whether they require gradients.
- The floating arrays, tensors and parameters of one call have one dtype, float32 or float64, which need not be
  PyTorch's default; tensors and parameters lie on one device. Results have the same dtype and device.
- A result is right if no entry is off by more than 1e-9 times the largest entry (in float32 1e-4 times), unless a
  docstring says otherwise.
- NumPy arrays that are passed in are contiguous, with positive strides, and must not be changed.
- Nothing is forbidden. "Allowed" names what you may want.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn


def to_torch(U: Float[np.ndarray, "H D"], V: Float[np.ndarray, "H H"], b: Float[np.ndarray, " H"]) -> nn.RNN:
    """Make the ``nn.RNN`` that computes what ``rnn_forward`` computes with these parameters.

    It has one layer and one direction, takes inputs (N, T, D) and initial states (1, N, H), and its first result is
    h, shape (N, T, H). PyTorch adds two biases, ``bias_ih`` and ``bias_hh``, where the formula has one; only their sum
    matters.

    Args:
        U: input weights, shape (H, D), float32 or float64.
        V: recurrent weights, shape (H, H), the same dtype.
        b: biases, shape (H,), the same dtype.

    Returns:
        The module, on the CPU, PyTorch's default device. Its parameters require gradients and have the dtype of U. Each
        has memory of its own: writing into one changes neither another one nor an array, and writing into an array
        changes none.

    Handout: §9 In PyTorch.
    """
    weight_ih, weight_hh, bias = (torch.tensor(array) for array in (U, V, b))
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, dtype=weight_ih.dtype)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(weight_ih)
        rnn.weight_hh_l0.copy_(weight_hh)
        rnn.bias_ih_l0.copy_(bias)
        rnn.bias_hh_l0.zero_()
    return rnn


def state_gradient_norms(
    cell: nn.RNNCell, x: Float[Tensor, "N T D"], h0: Float[Tensor, "N H"], dy: Float[Tensor, "N H"]
) -> Float[Tensor, " T"]:
    """Measure how much each state matters for the last one, by autograd.

    The cell computes h_t = cell(x_t, h_{t-1}) for t = 1, ..., T, with x_t at x[:, t - 1]. Let L = sum of dy * h_T, a
    loss on the last state alone. Then

        norms[t - 1] = | dL / d h_t |    for t = 1, ..., T,

    the square root of the sum of squares over all N * H entries, where h_t acts on L through all states after it.

    Args:
        cell: the step, an ``nn.RNNCell`` of either nonlinearity, with biases or without. Its parameters require
            gradients. That, and what their ``grad`` holds (None or an earlier gradient), must be the same after the
            call.
        x: inputs, shape (N, T, D). Like h0 it is a leaf that may require gradients: what their ``grad`` holds stays as
            well.
        h0: initial states, shape (N, H).
        dy: gradient of L with respect to h_T, shape (N, H).

    Returns:
        The norms, shape (T,). Each is 0 or between 1e-18 and 1e18.

    Handout: §9 In PyTorch.
    """
    h, states = h0, []
    for t in range(x.shape[1]):
        h = cell(x[:, t], h)
        states.append(h)
    return torch.stack([gradient.norm() for gradient in torch.autograd.grad(h, states, dy)])


def train_step(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    max_norm: float,
) -> tuple[float | Tensor, float | Tensor]:
    """Train a model by one step with clipped gradients.

    The loss is loss_fn(model(x), y). Its gradient, that of all parameters of the model together, is clipped to the norm
    max_norm, and the optimizer takes one step with it; its ``step`` needs no closure. Parameters may hold gradients
    of an earlier step, which must not count. One that the loss does not depend on has no gradient (``None``), takes
    no part and stays as it is. One that several layers share is one parameter, with one gradient. Of two that are
    added up, ``torch.autograd.grad`` gives one and the same tensor.

    The model computes in the mode that it is in, be it training mode or evaluation mode. Afterwards it is in that mode.

    Args:
        model: maps x to predictions. All its parameters require gradients, and may be transposed.
        x: inputs.
        y: targets.
        loss_fn: takes predictions and targets, in this order; returns a new 0-d tensor that depends on some parameter.
        optimizer: made for all parameters of the model, in one group or several.
        max_norm: largest norm of the gradient, > 0 and finite.

    Returns:
        (loss, norm): the loss before the step and the norm of its gradient before clipping, as floats or 0-d tensors.
        Errors up to 1e-5 of the largest entry pass, in the parameters too.

    Allowed: ``nn.utils.clip_grad_norm_``.
    Handout: §9 In PyTorch.
    """
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item(), norm.item()
