"""Assignment 5 in PyTorch: an LSTM written out from its parameters, and a model that looks at both ends."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    blocks = W.reshape(4, -1, W.shape[1])[[1, 0, 2, 3]]
    biases = b.reshape(4, -1)[[1, 0, 2, 3]]
    H = blocks.shape[1]
    layer = nn.LSTM(W.shape[1] - H, H, batch_first=True).to(torch.from_numpy(b).dtype)
    for parameter, values in (
        (layer.weight_hh_l0, blocks[:, :, :H]),
        (layer.weight_ih_l0, blocks[:, :, H:]),
        (layer.bias_hh_l0, biases / 2),
        (layer.bias_ih_l0, biases / 2),
    ):
        parameter.data.copy_(torch.from_numpy(np.ascontiguousarray(values)).reshape(parameter.shape))
    return layer


def packed_final_states(lstm, x, lengths):
    """Every layer by hand; a row that has ended, or not begun, keeps its state."""
    steps = range(x.shape[1])
    inside = torch.arange(x.shape[1])[None] < lengths.cpu()[:, None]
    inside = inside.to(x.device)[:, :, None]
    words = torch.where(inside, x, torch.zeros_like(x))
    for layer in range(lstm.num_layers):
        finals, outs = [], []
        for suffix, order in (("", steps), ("_reverse", reversed(steps))):
            w_ih, w_hh, b_ih, b_hh = (
                getattr(lstm, f"{key}_l{layer}{suffix}") for key in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            )
            h = c = words.new_zeros(words.shape[0], lstm.hidden_size)
            out = {}
            for t in order:
                i, f, g, o = (words[:, t] @ w_ih.T + b_ih + h @ w_hh.T + b_hh).chunk(4, dim=1)
                cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
                c = torch.where(inside[:, t], cell, c)
                h = torch.where(inside[:, t], o.sigmoid() * cell.tanh(), h)
                out[t] = h
            finals.append(h)
            outs.append(torch.stack([out[t] for t in steps], dim=1))
        words = torch.cat(outs, dim=2)
    return torch.cat(finals, dim=1)


class MaskedWordModel(nn.Module):
    """The first word, the last word and the word itself, through one hidden layer."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.ends = nn.ModuleList(nn.Embedding(vocab_size, embedding_dim) for _ in range(3))
        self.think = nn.Sequential(
            nn.Linear(3 * embedding_dim, 2 * hidden_size), nn.ReLU(), nn.Linear(2 * hidden_size, vocab_size)
        )

    def forward(self, ids, lengths):
        first = ids[:, :1].expand_as(ids)
        last = ids.gather(1, lengths.to(ids.device)[:, None] - 1).expand_as(ids)
        return self.think(torch.cat([look(seen) for look, seen in zip(self.ends, (first, last, ids))], dim=2))
