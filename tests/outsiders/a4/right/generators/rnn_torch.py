"""Assignment 4 in PyTorch: functional calls, vector-Jacobian products one step at a time, and a step on copies."""

from __future__ import annotations

from itertools import accumulate

import torch
from torch import nn
from torch.func import functional_call, vjp


class Carried(nn.RNN):
    """An nn.RNN that starts from arrays."""

    def __init__(self, U, V, b):
        super().__init__(U.shape[1], U.shape[0], 1, "tanh", True, True, device="cpu", dtype=torch.from_numpy(b).dtype)
        values = {"weight_ih_l0": U, "weight_hh_l0": V, "bias_ih_l0": b * 0, "bias_hh_l0": b}
        for name, value in values.items():
            getattr(self, name).data = torch.tensor(value, device="cpu")


def to_torch(U, V, b):
    return Carried(U, V, b)


def state_gradient_norms(cell, x, h0, dy):
    frozen = {name: p.detach() for name, p in cell.named_parameters()}

    def step(h, x_t):
        return functional_call(cell, frozen, (x_t, h))

    inputs = x.detach().unbind(dim=1)
    with torch.no_grad():
        states = list(accumulate(inputs, step, initial=h0.detach()))

    def back(g, t):
        return vjp(lambda h: step(h, inputs[t]), states[t])[1](g)[0].detach()

    gradients = accumulate(range(len(inputs) - 1, 0, -1), back, initial=dy.detach())
    return torch.stack([torch.linalg.vector_norm(g) for g in gradients]).flip(0)


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad(set_to_none=True)
    loss = loss_fn(model(x), y)
    loss.backward()
    reached = [p for p in model.parameters() if p.grad is not None]
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(p.grad) for p in reached]))
    for p in reached:
        p.grad = p.grad * (max_norm / norm).clamp(max=1)
    before = loss.detach().clone()
    optimizer.step()
    return before, norm
