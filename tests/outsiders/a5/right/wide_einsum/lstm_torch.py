"""Sequences one by one; a GRU; parameters by load_state_dict."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = W.shape[0] // 4
    cut = torch.from_numpy(np.array(W)).unflatten(0, (4, H))[[1, 0, 2, 3]].flatten(0, 1)
    bias = torch.from_numpy(np.array(b)).unflatten(0, (4, H))[[1, 0, 2, 3]].flatten()
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True).to(cut.dtype)
    lstm.load_state_dict(
        {
            "weight_ih_l0": cut[:, H:],
            "weight_hh_l0": cut[:, :H],
            "bias_ih_l0": torch.zeros_like(bias),
            "bias_hh_l0": bias,
        }
    )
    return lstm


def packed_final_states(lstm, x, lengths):
    return torch.stack([torch.cat(tuple(lstm(x[n, :length])[1][0][-2:])) for n, length in enumerate(lengths.tolist())])


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.ahead = nn.GRU(embedding_dim, hidden_size, batch_first=True)
        self.behind = nn.GRU(embedding_dim, hidden_size, batch_first=True)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        t, last = torch.arange(ids.shape[1], device=ids.device), lengths.to(ids.device)[:, None]
        turn = torch.where(t < last, last - 1 - t, t)
        y, _ = self.ahead(self.embedding(ids))
        z, _ = self.behind(self.embedding(ids.gather(1, turn)))
        z = z.gather(1, turn[:, :, None].expand_as(z))
        return self.scores(torch.cat([y, z], dim=2))
