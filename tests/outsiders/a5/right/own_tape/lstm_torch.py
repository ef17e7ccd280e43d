"""Assignment 5 in PyTorch: parameters made anew, two one-way LSTMs with rows turned by gather."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence


def lstm_to_torch(W, b):
    H = b.size // 4
    f, i, g, o = torch.from_numpy(W).split(H)
    f_b, i_b, g_b, o_b = torch.from_numpy(b).split(H)
    state, word = torch.cat([i, f, g, o]).split([H, W.shape[1] - H], dim=1)
    bias = torch.cat([i_b, f_b, g_b, o_b])
    layer = nn.LSTM(W.shape[1] - H, H, batch_first=True)
    made = {"weight_hh_l0": state, "weight_ih_l0": word, "bias_ih_l0": torch.zeros_like(bias), "bias_hh_l0": bias}
    for name, values in made.items():
        setattr(layer, name, nn.Parameter(values.clone(memory_format=torch.contiguous_format)))
    return layer


def packed_final_states(lstm, x, lengths):
    sequences = [row[:length] for row, length in zip(x.unbind(0), lengths.tolist())]
    _, (h, _) = lstm(pack_sequence(sequences, enforce_sorted=False))
    return torch.hstack(h.unbind(0)[-2:])


def turned(words, lengths):
    steps = torch.arange(words.shape[1], device=words.device)
    ends = lengths.to(words.device)[:, None]
    places = torch.where(steps < ends, ends - 1 - steps, steps)
    return words.gather(1, places[:, :, None].expand_as(words))


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.there = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.back = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.from_there = nn.Linear(hidden_size, vocab_size)
        self.from_back = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, ids, lengths):
        words = self.embedding(ids)
        there, _ = self.there(words)
        back, _ = self.back(turned(words, lengths))
        return self.from_there(there) + self.from_back(turned(back, lengths))
