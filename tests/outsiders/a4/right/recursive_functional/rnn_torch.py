# This file is yours: put your code where it raises NotImplementedError, then run "python -m pytest".
"""Assignment 4: recurrent networks, in PyTorch.

Conventions of everything here:

- The letters are those of ``rnn.py``: U (H, D) is PyTorch's ``weight_ih``, V (H, H) its ``weight_hh``, and sequences
  are (N, T, D), which PyTorch calls ``batch_first``.
- Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be
  changed.
- The floating tensors and parameters of one call have one dtype, float32 or float64, and lie on one device; results
  have the same.
- NumPy arrays that are passed in are contiguous and must not be changed.
- Nothing is forbidden.

``README.md`` is the handout; each docstring names its section.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn



def to_torch(U, V, b):
    U, V, b = map(torch.tensor, (U, V, b))
    rnn = nn.RNN(*U.shape[::-1], batch_first=True, dtype=U.dtype)
    with torch.no_grad():
        for parameter, value in zip(rnn.parameters(), (U, V, torch.zeros_like(b), b), strict=True):
            parameter.set_(value)
    return rnn


def state_gradient_norms(cell, x, h0, dy):
    # One vjp for each step, of a function of the state alone.
    constants = {name: p.detach() for name, p in cell.named_parameters()}

    def back(h, t):
        """The norms from t on, and the gradient that comes back to h (the state before step t, from 0)."""
        if t == x.shape[1]:
            return [], dy.detach()
        after, vjp = torch.func.vjp(lambda s: torch.func.functional_call(cell, constants, (x[:, t].detach(), s)), h)
        norms, g = back(after, t + 1)
        return [torch.linalg.vector_norm(g), *norms], vjp(g)[0]

    return torch.stack(back(h0.detach(), 0)[0])


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    for p in model.parameters():
        p.grad = None
    (loss := loss_fn(model(x), y)).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = nn.utils.get_total_norm(grads)
    if norm > max_norm:
        for g in grads:
            g *= max_norm / norm
    optimizer.step()
    return loss.detach(), norm
