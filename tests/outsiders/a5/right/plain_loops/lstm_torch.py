"""Assignment 5, PyTorch part: element by element, sequence by sequence, step by step."""

from __future__ import annotations

import torch
from torch import nn


def lstm_to_torch(W, b):
    H = len(b) // 4
    D = W.shape[1] - H
    dtype = {"float16": torch.float16, "float32": torch.float32, "float64": torch.float64}[W.dtype.name]
    lstm = nn.LSTM(D, H, batch_first=True, dtype=dtype)
    place = {0: 1, 1: 0, 2: 2, 3: 3}  # my block -> block of PyTorch
    with torch.no_grad():
        for mine, theirs in place.items():
            for j in range(H):
                row, target = mine * H + j, theirs * H + j
                for column in range(H):
                    lstm.weight_hh_l0[target, column] = float(W[row, column])
                for column in range(D):
                    lstm.weight_ih_l0[target, column] = float(W[row, H + column])
                lstm.bias_ih_l0[target] = float(b[row])
                lstm.bias_hh_l0[target] = 0.0
    return lstm


def packed_final_states(lstm, x, lengths):
    rows = []
    for n, length in enumerate(lengths.tolist()):
        # One sequence alone, without its padding: nothing to pack.
        _, (h, _) = lstm(x[n : n + 1, :length])
        rows.append(torch.cat([h[-2, 0], h[-1, 0]]))
    return torch.stack(rows)


class MaskedWordModel(nn.Module):
    """Two cells and two loops over time."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.words = nn.Embedding(vocab_size, embedding_dim)
        self.from_left = nn.LSTMCell(embedding_dim, hidden_size)
        self.from_right = nn.LSTMCell(embedding_dim, hidden_size)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        N, T = ids.shape
        lengths = lengths.to(ids.device)
        x = self.words(ids)
        zero = x.new_zeros(N, self.from_left.hidden_size)
        left, right = [], [None] * T
        h, c = zero, zero
        for t in range(T):
            h, c = self.from_left(x[:, t], (h, c))
            left.append(h)
        h, c = zero, zero
        for t in reversed(range(T)):
            h, c = self.from_right(x[:, t], (h, c))
            inside = (t < lengths)[:, None]  # before the last word of a sentence nothing has been read
            h, c = torch.where(inside, h, zero), torch.where(inside, c, zero)
            right[t] = h
        return torch.stack([self.scores(torch.cat([left[t], right[t]], dim=1)) for t in range(T)], dim=1)
