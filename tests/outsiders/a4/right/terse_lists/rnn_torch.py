"""Assignment 4 in PyTorch. Short."""

from __future__ import annotations

import torch
from torch import nn


def to_torch(U, V, b):
    U, V, b = (torch.tensor(a.copy()) for a in (U, V, b))
    rnn = nn.RNN(U.shape[1], len(U), batch_first=True).to(U.dtype)
    for p, a in zip(rnn.parameters(), (U, V, b, 0 * b)):
        p.data = a
    return rnn


def state_gradient_norms(cell, x, h0, dy):
    h = [h0]
    for x_t in x.unbind(1):
        h += [cell(x_t, h[-1])]
    return torch.stack([g.norm() for g in torch.autograd.grad(h[-1], h[1:], dy)])


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    model.zero_grad()
    (loss := loss_fn(model(x), y)).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item(), norm.item()
