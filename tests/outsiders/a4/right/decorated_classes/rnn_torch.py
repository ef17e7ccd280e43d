from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn


class _Undisturbed:
    def __init__(self, tensors):
        self.tensors = list(tensors)
    def __enter__(self):
        self.kept = [t.grad for t in self.tensors]
        for t in self.tensors:
            t.grad = None
    def __exit__(self, *_):
        for t, grad in zip(self.tensors, self.kept):
            t.grad = grad


def to_torch(U: Float[np.ndarray, "H D"], V: Float[np.ndarray, "H H"], b: Float[np.ndarray, " H"]) -> nn.RNN:
    H, D = U.shape
    with torch.device("cpu"):
        module = nn.RNN(D, H, batch_first=True).to(torch.as_tensor(U).dtype)
    for name, value in dict(weight_ih_l0=U, weight_hh_l0=V, bias_ih_l0=b * 0.25, bias_hh_l0=b * 0.75).items():
        getattr(module, name).data = torch.from_numpy(value.copy())
    return module


def state_gradient_norms(
    cell: nn.RNNCell, x: Float[Tensor, "N T D"], h0: Float[Tensor, "N H"], dy: Float[Tensor, "N H"]
) -> Float[Tensor, " T"]:
    with _Undisturbed([*cell.parameters(), *(t for t in (x, h0) if t.is_leaf)]):
        states = [h0]
        for t in range(x.shape[1]):
            states.append(cell(x[:, t, :], states[-1]))
            states[-1].retain_grad()
        states[-1].backward(dy)
        return torch.cat([s.grad.reshape(1, -1) for s in states[1:]]).square().sum(dim=1).sqrt()


def train_step(
    model: nn.Module,
    x: Tensor,
    y: Tensor,
    loss_fn: Callable[[Tensor, Tensor], Tensor],
    optimizer: torch.optim.Optimizer,
    max_norm: float,
) -> tuple[float | Tensor, float | Tensor]:
    model.zero_grad()
    loss = loss_fn(model(x), y)
    used = [p for p in model.parameters()]
    grads = torch.autograd.grad(loss, used, allow_unused=True)
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads if g is not None]))
    factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    for p, g in zip(used, grads):
        p.grad = None if g is None else g * factor
    before = loss.detach().clone()
    optimizer.step()
    return before, norm
