from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def lstm_to_torch(W, b):
    H = len(b) // 4
    W, b = (torch.from_numpy(np.array(a, copy=True)).unflatten(0, (4, H))[[1, 0, 2, 3]].flatten(0, 1) for a in (W, b))
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True).to(W.dtype)
    lstm.load_state_dict(
        {"weight_ih_l0": W[:, H:], "weight_hh_l0": W[:, :H], "bias_ih_l0": b / 2, "bias_hh_l0": b - b / 2}
    )
    return lstm


def packed_final_states(lstm, x, lengths):
    return torch.cat([*lstm(pack_padded_sequence(x, lengths, True, False))[1][0][-2:]], 1)


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embed, self.read = nn.Embedding(vocab_size, embedding_dim), nn.Linear(2 * hidden_size, vocab_size)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, bidirectional=True, batch_first=True)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        return self.read(pad_packed_sequence(self.lstm(packed)[0], True, total_length=ids.shape[1])[0])
