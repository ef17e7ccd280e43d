from __future__ import annotations

import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    f, i, g, o = np.split(np.column_stack([W, b]), 4)
    M = np.vstack([i, f, g, o])
    H = len(b) // 4
    layer = nn.LSTM(W.shape[1] - H, H, batch_first=True, device="cpu", dtype=torch.tensor(W[:0]).dtype)
    own = lambda part: nn.Parameter(torch.tensor(np.ascontiguousarray(part), device="cpu"))
    layer.weight_hh_l0, layer.weight_ih_l0 = own(M[:, :H]), own(M[:, H:-1])
    layer.bias_ih_l0, layer.bias_hh_l0 = own(M[:, -1]), own(0 * M[:, -1])
    return layer


def packed_final_states(lstm, x, lengths):
    """Each sequence alone."""

    def alone(row, length):
        _, (h, _) = lstm(row[:length].unsqueeze(0))
        return torch.cat([h[-2, 0], h[-1, 0]])

    return torch.stack([alone(row, length) for row, length in zip(x, lengths.tolist())])


class MaskedWordModel(nn.Module):
    """Two nn.LSTM of one direction each; the second reads rows that are turned within their lengths."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.there = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.back = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.from_there = nn.Linear(hidden_size, vocab_size)
        self.from_back = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, ids, lengths):
        t, L = torch.arange(ids.shape[1], device=ids.device), lengths.to(ids.device)[:, None]
        turned = torch.where(t < L, L - 1 - t, t)
        there, _ = self.there(self.embed(ids))
        back, _ = self.back(self.embed(ids.gather(1, turned)))
        back = back.gather(1, turned[:, :, None].expand_as(back))
        return self.from_there(there) + self.from_back(back)
