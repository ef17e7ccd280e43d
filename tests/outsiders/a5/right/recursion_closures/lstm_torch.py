"""Assignment 5, PyTorch."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def lstm_to_torch(W, b):
    size = len(W) // 4

    def theirs(array):
        f, i, g, o = np.split(array, 4)
        return torch.tensor(np.concatenate([i, f, g, o]))

    state, inputs = theirs(W).split([size, W.shape[1] - size], dim=1)
    lstm = nn.LSTM(inputs.shape[1], size, batch_first=True).to(state.dtype)

    def fill(name, values):
        with torch.no_grad():
            getattr(lstm, name).copy_(values)

    fill("weight_ih_l0", inputs)
    fill("weight_hh_l0", state)
    fill("bias_hh_l0", theirs(b))
    fill("bias_ih_l0", torch.zeros(4 * size))
    return lstm


def packed_final_states(lstm, x, lengths):
    # Sorted by hand: longest first.
    order = torch.argsort(lengths, descending=True)
    place = torch.argsort(order).to(x.device)
    packed = pack_padded_sequence(x[order.to(x.device)], lengths[order], batch_first=True)
    _, (h, _) = lstm(packed)
    ahead, behind = h.unflatten(0, (-1, 2))[-1]
    return torch.cat([ahead, behind], dim=1)[place]


class MaskedWordModel(nn.Module):
    """Two GRUs, of which the second reads each sentence turned within its length."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.ahead = nn.GRU(embedding_dim, hidden_size, batch_first=True)
        self.behind = nn.GRU(embedding_dim, hidden_size, batch_first=True)
        self.score = nn.Sequential(nn.Linear(2 * hidden_size, hidden_size), nn.Tanh(), nn.Linear(hidden_size, vocab_size))

    def forward(self, ids, lengths):
        steps = torch.arange(ids.shape[1], device=ids.device)
        last = lengths.to(ids.device)[:, None] - 1
        turned = torch.where(steps <= last, last - steps, steps)

        def turn(values):
            return values.gather(1, turned[:, :, None].expand_as(values))

        x = self.embed(ids)
        both = self.ahead(x)[0], turn(self.behind(turn(x))[0])
        return self.score(torch.cat(both, dim=2))
