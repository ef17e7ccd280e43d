from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class Reversed:
    """Index that turns each row of a padded batch within its own length."""

    def __init__(self, lengths, T, device):
        t, ends = torch.arange(T, device=device), lengths.to(device)[:, None]
        self.index = torch.where(t < ends, ends - 1 - t, t.expand(len(lengths), T))

    def __call__(self, x):
        return x.gather(1, self.index[:, :, None].expand(-1, -1, x.shape[2]))


def lstm_to_torch(W, b):
    H = b.shape[0] // 4
    weights, biases = torch.tensor(W), torch.tensor(b)
    f, i, g, o = range(4)
    rows = torch.cat([torch.arange(H) + block * H for block in (i, f, g, o)])
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True, dtype=weights.dtype)
    lstm.weight_hh_l0 = nn.Parameter(weights[rows, :H].clone())
    lstm.weight_ih_l0 = nn.Parameter(weights[rows, H:].clone())
    lstm.bias_ih_l0 = nn.Parameter(torch.zeros_like(biases))
    lstm.bias_hh_l0 = nn.Parameter(biases[rows].clone())
    return lstm


def packed_final_states(lstm, x, lengths):
    order = torch.argsort(lengths, descending=True)
    there = order.to(x.device)
    packed = pack_padded_sequence(x[there], lengths[order], batch_first=True)
    _, (h, _) = lstm(packed)
    h = h.unflatten(0, (lstm.num_layers, 2))[-1]
    home = torch.argsort(there)
    return h[:, home].transpose(0, 1).flatten(1)


class MaskedWordModel(nn.Module):
    """Two LSTMs of one direction each; the second reads the turned sentences."""

    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.words = nn.Embedding(vocab_size, embedding_dim)
        self.ahead = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.back = nn.LSTM(embedding_dim, hidden_size, batch_first=True)
        self.head = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        turn, x = Reversed(lengths, ids.shape[1], ids.device), self.words(ids)
        states = [self.ahead(x)[0], turn(self.back(turn(x))[0])]
        return self.head(torch.cat(states, dim=-1))
