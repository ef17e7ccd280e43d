from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def lstm_to_torch(W, b):
    H = len(b) // 4
    blocks = torch.tensor(W, device="cpu").reshape(4, H, -1)[[1, 0, 2, 3]].reshape(4 * H, -1)
    bias = torch.tensor(b, device="cpu").reshape(4, H)[[1, 0, 2, 3]].reshape(-1)
    layer = nn.LSTM(blocks.shape[1] - H, H, batch_first=True, dtype=blocks.dtype, device="cpu")
    layer.load_state_dict(
        dict(weight_hh_l0=blocks[:, :H], weight_ih_l0=blocks[:, H:], bias_ih_l0=bias * 0.25, bias_hh_l0=bias * 0.75)
    )
    return layer


def packed_final_states(lstm, x, lengths):
    outputs, _ = pad_packed_sequence(lstm(pack_padded_sequence(x, lengths, True, False))[0], batch_first=True)
    N, T, _ = outputs.shape
    last = torch.nn.functional.one_hot(lengths - 1, T).to(outputs)
    H = lstm.hidden_size
    return torch.cat([torch.einsum("nt,nth->nh", last, outputs[..., :H]), outputs[:, 0, H:]], dim=1)


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.words = nn.Embedding(vocab_size, embedding_dim)
        self.read = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.words(ids), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.read(packed)[0], batch_first=True, total_length=ids.shape[1])
        return torch.einsum("nth,vh->ntv", states, self.score.weight) + self.score.bias
