"""Assignment 4 in PyTorch, in few statements."""

from __future__ import annotations

from itertools import accumulate

import torch
from torch import nn


def to_torch(U, V, b):
    tensors = dict(zip(("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), map(torch.tensor, (U, V, b / 2, b / 2))))
    rnn = nn.RNN(*U.shape[::-1], batch_first=True, dtype=tensors["weight_ih_l0"].dtype)
    rnn.load_state_dict(tensors)
    return rnn


def state_gradient_norms(cell, x, h0, dy):
    states = [*accumulate(x.unbind(1), lambda h, s: cell(s, h), initial=h0)][1:]
    return torch.stack([g.norm() for g in torch.autograd.grad(states[-1], states, dy)])


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    def closure():
        optimizer.zero_grad()
        model.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), max_norm))
        return loss

    norms = []
    return optimizer.step(closure).detach(), norms[0]
