import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence


def lstm_to_torch(W, b):
    H = b.size // 4
    p = torch.tensor(np.c_[W, b]).view(4, H, -1)[[1, 0, 2, 3]].flatten(0, 1)
    net = nn.LSTM(p.shape[1] - H - 1, H, batch_first=True, dtype=p.dtype)
    for q, v in zip(net.parameters(), (p[:, H:-1], p[:, :H], 3 * p[:, -1] / 4, p[:, -1] / 4)):
        q.data.copy_(v)
    return net


trim = lambda x, lengths: pack_sequence([s[:n] for s, n in zip(x, lengths.tolist())], enforce_sorted=False)


def packed_final_states(lstm, x, lengths):
    return torch.cat([*lstm(trim(x, lengths))[1][0][-2:]], 1)


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.e = nn.Embedding(vocab_size, embedding_dim)
        self.r = nn.GRU(embedding_dim, hidden_size, bidirectional=True)
        self.o = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        y = pad_packed_sequence(self.r(trim(self.e(ids), lengths))[0], True, total_length=ids.shape[1])[0]
        return self.o(y)
