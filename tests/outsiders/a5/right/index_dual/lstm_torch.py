from __future__ import annotations

import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = W.shape[0] // 4
    rows = np.concatenate([np.arange(H) + k * H for k in (1, 0, 2, 3)])
    layer = nn.LSTM(
        W.shape[1] - H, H, batch_first=True, device="cpu", dtype=torch.float64 if W.dtype == np.float64 else torch.float32
    )
    for parameter, values in (
        (layer.weight_ih_l0, W[rows, H:]),
        (layer.weight_hh_l0, W[rows, :H]),
        (layer.bias_ih_l0, b[rows] * 2),
        (layer.bias_hh_l0, -b[rows]),
    ):
        parameter.data.copy_(torch.tensor(values.tolist(), dtype=torch.float64, device="cpu"))
    return layer


def packed_final_states(lstm, x, lengths):
    """Sequences of equal lengths go through together, without padding."""
    places, states = [], []
    for length in lengths.unique().tolist():
        rows = torch.nonzero(lengths == length)[:, 0]
        places.append(rows)
        states.append(torch.hstack(tuple(lstm(x[rows.to(x.device), :length])[1][0][-2:])))
    return torch.cat(states)[torch.cat(places).argsort().to(x.device)]


class Keep(torch.autograd.Function):
    """a where the mask is true, b elsewhere, with its gradient by hand."""

    @staticmethod
    def forward(ctx, mask, a, b):
        ctx.save_for_backward(mask)
        return torch.where(mask, a, b)

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        zero = torch.zeros_like(grad)
        return None, torch.where(mask, grad, zero), torch.where(mask, zero, grad)


class MaskedWordModel(nn.Module):
    """Two GRU cells, step by step; a state stays where the sentence is not."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.cells = nn.ModuleList([nn.GRUCell(embedding_dim, hidden_size) for _ in range(2)])
        self.score = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        words, (N, T) = self.embed(ids), ids.shape
        lengths = lengths.to(ids.device)[:, None]
        halves = []
        for cell, order in zip(self.cells, (range(T), range(T - 1, -1, -1))):
            h, states = words.new_zeros(N, cell.hidden_size), {}
            for t in order:
                states[t] = h = Keep.apply(lengths > t, cell(words[:, t], h), h)
            halves.append(torch.stack([states[t] for t in range(T)], dim=1))
        return self.score(torch.cat(halves, dim=2))
