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
    # Half of the bias here, half of it there, each in memory of its own.
    kind = {"float32": torch.float32, "float64": torch.float64}[U.dtype.name]
    rnn = nn.RNN(input_size=U.shape[1], hidden_size=U.shape[0], num_layers=1, batch_first=True, device="cpu").to(kind)
    for name, value in (("weight_ih", U), ("weight_hh", V), ("bias_ih", b / 2), ("bias_hh", b - b / 2)):
        setattr(rnn, f"{name}_l0", nn.Parameter(torch.tensor(value, dtype=kind, device="cpu")))
    return rnn


def state_gradient_norms(cell, x, h0, dy):
    # Hooks on the states note the norms while autograd.grad walks back to a copy of h0.
    T, seen = x.shape[1], {}
    with torch.enable_grad():
        start = h0.detach().clone().requires_grad_()
        h = start
        for t in range(T):
            h = cell(x[:, t].detach(), h)
            h.register_hook(lambda g, t=t: seen.__setitem__(t, g.detach().double().pow(2).sum().sqrt()))
        torch.autograd.grad((dy.detach() * h).sum(), start)
    return torch.stack([seen[t] for t in range(T)]).to(x.dtype)


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    # Everything happens in the optimizer's closure.
    noted = {}

    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        noted["norm"] = nn.utils.clip_grad_norm_(model.parameters(), max_norm).item()
        noted["loss"] = loss.item()
        return loss

    optimizer.step(closure)
    return noted["loss"], noted["norm"]
