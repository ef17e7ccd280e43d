from __future__ import annotations

import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = len(b) // 4
    f, i, g, o = np.split(np.column_stack([W, b]), 4)
    rows = torch.as_tensor(np.concatenate([i, f, g, o])).clone()
    lstm = nn.LSTM(input_size=W.shape[1] - H, hidden_size=H, batch_first=True, dtype=rows.dtype)
    for name, value in (
        ("weight_hh_l0", rows[:, :H]),
        ("weight_ih_l0", rows[:, H:-1]),
        ("bias_ih_l0", 2 * rows[:, -1]),
        ("bias_hh_l0", -rows[:, -1]),
    ):
        getattr(lstm, name).data.copy_(value)
    return lstm


def packed_final_states(lstm, x, lengths):
    """By PyTorch's packing of a list."""
    rows = [row[:length] for row, length in zip(x, lengths.tolist(), strict=True)]
    _, (h, _) = lstm(nn.utils.rnn.pack_sequence(rows, enforce_sorted=False))
    return torch.stack([h[-2], h[-1]], dim=1).reshape(len(rows), -1)


class MaskedWordModel(nn.Module):
    """A bidirectional GRU of two layers over packed sentences, the padding's ids replaced first."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.gru = nn.GRU(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm(2 * hidden_size)
        self.out = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        T = ids.size(1)
        x = self.embedding(ids)
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        states, _ = nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        states = nn.functional.pad(states, (0, 0, 0, T - states.size(1)))
        return self.out(self.norm(states))
