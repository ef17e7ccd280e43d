"""Sorted by hand, parameters set anew, half a bias each, stacked residual layers."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, unpack_sequence


def lstm_to_torch(W, b):
    f, i, g, o = range(4)
    H = len(b) // 4
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True)

    def rows(a):
        return torch.cat([torch.tensor(a[k * H : (k + 1) * H]) for k in (i, f, g, o)])

    lstm.weight_hh_l0 = nn.Parameter(rows(W)[:, :H].clone())
    lstm.weight_ih_l0 = nn.Parameter(rows(W)[:, H:].clone())
    lstm.bias_hh_l0 = nn.Parameter(rows(b) / 2)
    lstm.bias_ih_l0 = nn.Parameter(rows(b) / 2)
    return lstm


def packed_final_states(lstm, x, lengths):
    falling, order = lengths.sort(descending=True, stable=True)
    there = order.to(x.device)
    _, (h, _) = lstm(pack_padded_sequence(x.index_select(0, there), falling, batch_first=True))
    last = h.unflatten(0, (lstm.num_layers, 2))[-1].transpose(0, 1).flatten(1)
    return last.index_select(0, there.argsort())


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.first = nn.LSTM(embedding_dim, hidden_size, bidirectional=True)
        self.second = nn.LSTM(2 * hidden_size, hidden_size, bidirectional=True)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        T = ids.shape[1]
        sentences = [self.embedding(row[:length]) for row, length in zip(ids, lengths.tolist())]
        packed, _ = self.first(pack_sequence(sentences, enforce_sorted=False))
        more, _ = self.second(packed)
        both = packed._replace(data=self.scores(packed.data + more.data))
        return torch.stack([nn.functional.pad(y, (0, 0, 0, T - len(y))) for y in unpack_sequence(both)])
