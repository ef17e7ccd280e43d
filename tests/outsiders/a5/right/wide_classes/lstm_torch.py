from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


def lstm_to_torch(W, b):
    H = W.shape[0] // 4
    layer = nn.LSTM(W.shape[1] - H, H, batch_first=True, device="cpu")
    layer = layer.double() if W.dtype.itemsize == 8 else layer.float()
    with torch.no_grad():
        for place, block in enumerate((1, 0, 2, 3)):  # i, f, g, o among f, i, g, o
            rows, mine = slice(place * H, place * H + H), slice(block * H, block * H + H)
            layer.weight_hh_l0[rows] = torch.tensor(W[mine, :H], device="cpu")
            layer.weight_ih_l0[rows] = torch.tensor(W[mine, H:], device="cpu")
            layer.bias_ih_l0[rows] = 0
            layer.bias_hh_l0[rows] = torch.tensor(b[mine], device="cpu")
    return layer


def packed_final_states(lstm, x, lengths):
    order = torch.argsort(lengths, descending=True)
    packed = pack_padded_sequence(x[order.to(x.device)], lengths[order], batch_first=True)
    _, (h, _) = lstm(packed)
    back = torch.argsort(order).to(x.device)
    return h[-2:].transpose(0, 1).flatten(1)[back]


class MaskedWordModel(nn.Module):
    """A GRU in two directions beside the LSTM; dropout while training."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embedding_dim)
        self.readers = nn.ModuleList(
            kind(embedding_dim, hidden_size, batch_first=True, bidirectional=True) for kind in (nn.LSTM, nn.GRU)
        )
        self.score = nn.Sequential(nn.Dropout(0.05), nn.Linear(4 * hidden_size, vocab_size))

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        both = torch.cat([reader(packed)[0].data for reader in self.readers], dim=1)
        scores = PackedSequence(self.score(both), packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
        return pad_packed_sequence(scores, batch_first=True, total_length=ids.shape[1], padding_value=-7.0)[0]
