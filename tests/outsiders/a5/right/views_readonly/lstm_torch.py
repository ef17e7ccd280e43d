"""A subclass of nn.LSTM, unequal shares of the bias, outputs gathered, bare parameters."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class FromNumPy(nn.LSTM):
    """An nn.LSTM that takes one matrix and one bias."""

    def __init__(self, W, b):
        H = len(b) // 4
        super().__init__(W.shape[1] - H, H, batch_first=True, dtype=W.dtype)
        order = torch.arange(4 * H).roll(H).reshape(4, H)
        order[0], order[1] = torch.arange(H, 2 * H), torch.arange(H)
        order[2:] = torch.arange(2 * H, 4 * H).reshape(2, H)
        rows, bias = W[order.flatten()], b[order.flatten()]
        self.weight_hh_l0.data.copy_(rows[:, :H])
        self.weight_ih_l0.data.copy_(rows[:, H:])
        self.bias_hh_l0.data.copy_(bias / 4)
        self.bias_ih_l0.data.copy_(bias - bias / 4)


def lstm_to_torch(W, b):
    return FromNumPy(torch.asarray(W.copy()), torch.asarray(b.copy()))


def packed_final_states(lstm, x, lengths):
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    out, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True)
    ahead, behind = out.chunk(2, dim=2)
    last = (lengths - 1).to(x.device)[:, None, None].expand(-1, 1, ahead.shape[2])
    return torch.hstack([ahead.gather(1, last).squeeze(1), behind[:, 0]])


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.words = nn.Parameter(torch.randn(vocab_size, embedding_dim))
        self.lstm = nn.LSTM(embedding_dim, hidden_size, 2, bidirectional=True)
        self.out = nn.Parameter(torch.randn(vocab_size, 2 * hidden_size) / (2 * hidden_size) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.drop = nn.Dropout(0.05)

    def forward(self, ids, lengths):
        y = self.drop(self.words[ids.T])  # time first
        packed = pack_padded_sequence(y, lengths, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], total_length=len(y))
        return torch.einsum("tnh,vh->ntv", states, self.out) + self.bias
