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
    # Made without memory, then filled with tensors that are copies.
    first = torch.tensor(U)
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, dtype=first.dtype, device="meta")
    values = {"weight_ih_l0": first, "weight_hh_l0": torch.tensor(V), "bias_ih_l0": torch.zeros(len(b), dtype=first.dtype), "bias_hh_l0": torch.tensor(b)}
    rnn.load_state_dict(values, assign=True)
    return rnn


def state_gradient_norms(cell, x, h0, dy):
    # Way back by hand: each state becomes a leaf of its own, and one step is run again from it.
    with torch.no_grad():
        states = [h0]
        for x_t in x.unbind(1):
            states.append(cell(x_t, states[-1]))
    g, norms = dy.detach(), []
    for t in range(x.shape[1], 0, -1):
        norms.append(torch.einsum("nh,nh->", g, g).sqrt())
        leaf = states[t - 1].detach().clone().requires_grad_()
        with torch.enable_grad():
            after = cell(x[:, t - 1].detach(), leaf)
        (g,) = torch.autograd.grad(after, leaf, grad_outputs=g)
    return torch.stack(norms[::-1])


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    # Gradients asked for by autograd.grad, and put where the optimizer looks for them.
    every = list(model.parameters())
    for p in every:
        p.grad = None
    wanted = [p for p in every if p.requires_grad]
    loss = loss_fn(model(x), y)
    for p, g in zip(wanted, torch.autograd.grad(loss, wanted, allow_unused=True)):
        p.grad = None if g is None else g.clone()
    there = [p.grad for p in wanted if p.grad is not None]
    norm = torch.stack([g.square().sum() for g in there]).sum().sqrt()
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for g in there:
        g.mul_(factor)
    optimizer.step()
    return loss.item(), norm.item()
