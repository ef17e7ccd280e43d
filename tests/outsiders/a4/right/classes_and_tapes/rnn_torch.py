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



class _Spy(torch.autograd.Function):
    """Nothing forward; backward notes the norm of the gradient that passes."""

    @staticmethod
    def forward(ctx, h, notes, t):
        ctx.notes, ctx.t = notes, t
        return h.view_as(h)

    @staticmethod
    def backward(ctx, g):
        ctx.notes[ctx.t] = (g * g).sum().sqrt()
        return g, None, None


def to_torch(U, V, b):
    hidden, inputs = U.shape
    rnn = nn.RNN(inputs, hidden, nonlinearity="tanh", batch_first=True)
    rnn = rnn.double() if U.dtype == np.float64 else rnn.float()
    rnn.load_state_dict(
        {
            "weight_ih_l0": torch.from_numpy(U.copy()),
            "weight_hh_l0": torch.from_numpy(V.copy()),
            "bias_ih_l0": torch.from_numpy(b.copy()),
            "bias_hh_l0": torch.from_numpy(np.zeros_like(b)),
        }
    )
    return rnn


def state_gradient_norms(cell, x, h0, dy):
    T = x.size(1)
    notes = x.new_zeros(T).detach()
    with torch.enable_grad():
        start = torch.zeros_like(h0).requires_grad_()
        h = h0.detach() + start
        for t in range(T):
            h = _Spy.apply(cell(x.detach()[:, t], h), notes, t)
        torch.autograd.grad(h, [start], grad_outputs=dy.detach())
    return notes


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad(set_to_none=True)
    model.zero_grad(set_to_none=True)
    loss = loss_fn(model(x), y)
    torch.autograd.backward(loss)
    flat = torch.cat([p.grad.reshape(-1) for p in model.parameters() if p.grad is not None])
    norm = torch.linalg.vector_norm(flat)
    factor = torch.minimum(torch.ones_like(norm), max_norm / (norm + 1e-6))
    for p in model.parameters():
        if p.grad is not None:
            p.grad = p.grad * factor
    optimizer.step()
    return float(loss), float(norm)
