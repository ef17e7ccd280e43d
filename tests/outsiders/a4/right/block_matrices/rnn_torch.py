from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn


def to_torch(U: Float[np.ndarray, "H D"], V: Float[np.ndarray, "H H"], b: Float[np.ndarray, " H"]) -> nn.RNN:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32 if U.dtype == np.float32 else torch.float64)
    try:
        rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, device="cpu")
    finally:
        torch.set_default_dtype(before)
    for parameter, value in zip(rnn.parameters(), (U, V, np.zeros_like(b), b), strict=True):
        with torch.no_grad():
            parameter[:] = torch.as_tensor(np.array(value))
    return rnn


def state_gradient_norms(
    cell: nn.RNNCell, x: Float[Tensor, "N T D"], h0: Float[Tensor, "N H"], dy: Float[Tensor, "N H"]
) -> Float[Tensor, " T"]:
    """The backward pass by hand: only the slopes and the recurrent weights are needed."""
    with torch.no_grad():
        states = [h0]
        for t in range(x.shape[1]):
            states.append(cell(x[:, t], states[-1]))
        g, norms = dy, x.new_zeros(x.shape[1])
        for t in range(x.shape[1], 0, -1):
            norms[t - 1] = g.norm()
            slope = 1 - states[t] ** 2 if cell.nonlinearity == "tanh" else (states[t] > 0).to(g.dtype)
            g = (g * slope) @ cell.weight_hh
    return norms


def train_step(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    max_norm: float,
) -> tuple[float | Tensor, float | Tensor]:
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    prediction = model(x)
    loss = loss_fn(prediction, y)
    torch.autograd.backward(loss)
    parameters = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    norm = nn.utils.get_total_norm([p.grad for p in parameters])
    nn.utils.clip_grads_with_norm_(parameters, max_norm, norm)
    loss, norm = loss.detach().clone(), norm.detach().clone()
    optimizer.step()
    return loss, norm
