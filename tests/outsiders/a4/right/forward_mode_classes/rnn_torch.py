"""Assignment 4 in PyTorch."""

from __future__ import annotations

import copy

import numpy as np
import torch
from torch import nn


def to_torch(U, V, b):
    values = {"weight_ih_l0": U, "weight_hh_l0": V, "bias_ih_l0": 2 * b, "bias_hh_l0": -b}  # only the sum matters
    tensors = {name: torch.from_numpy(np.copy(value, order="C")) for name, value in values.items()}
    rnn = nn.RNN(input_size=U.shape[1], hidden_size=U.shape[0], num_layers=1, nonlinearity="tanh", batch_first=True)
    rnn = rnn.to(tensors["weight_ih_l0"].dtype)
    for name, parameter in rnn.named_parameters():
        nn.init.zeros_(parameter)
        with torch.no_grad():
            parameter += tensors[name]
    return rnn


class _Recorder:
    """Collects the gradients of states as they pass."""

    def __init__(self):
        self.norms = []

    def watch(self, state):
        place = len(self.norms)
        self.norms.append(None)

        def note(g):
            self.norms[place] = torch.linalg.norm(g)

        state.register_hook(note)


def state_gradient_norms(cell, x, h0, dy):
    mine = copy.deepcopy(cell)  # backward() may do to its grad what it likes
    recorder = _Recorder()
    h = h0.detach()
    for t in range(x.shape[1]):
        h = mine(x[:, t].detach(), h)
        recorder.watch(h)
    h.backward(dy)
    return torch.stack(recorder.norms)


def train_step(model, x, y, loss_fn, optimizer, max_norm):
    optimizer.zero_grad()
    prediction = model(x)
    loss = loss_fn(prediction, y)
    before = loss.detach().clone()
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = nn.utils.get_total_norm(gradients)
    nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, norm)
    optimizer.step()
    return before, norm
