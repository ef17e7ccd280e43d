from __future__ import annotations

import torch
from torch import nn


def lstm_to_torch(W, b):
    H = b.shape[0] // 4
    D = W.shape[1] - H
    lstm = nn.LSTM(D, H, batch_first=True, dtype=torch.from_numpy(W).dtype, device="cpu")
    with torch.no_grad():
        for theirs, mine in enumerate((1, 0, 2, 3)):  # i, f, g, o
            for p in range(H):
                to, of = theirs * H + p, mine * H + p
                for j in range(H):
                    lstm.weight_hh_l0[to, j] = float(W[of, j])
                for j in range(D):
                    lstm.weight_ih_l0[to, j] = float(W[of, H + j])
                lstm.bias_ih_l0[to] = float(b[of])
                lstm.bias_hh_l0[to] = 0.0
    return lstm


def packed_final_states(lstm, x, lengths):
    """Each sequence alone, without its padding."""
    rows = []
    for n, length in enumerate(lengths.tolist()):
        states, _ = lstm(x[n : n + 1, :length])
        H = lstm.hidden_size
        rows.append(torch.cat([states[0, length - 1, :H], states[0, 0, H:]]))
    return torch.stack(rows)


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_size, batch_first=True, bidirectional=True)
        self.scores = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids, lengths):
        """Sentences of one length at a time, so that none needs padding."""
        rows = [None] * len(ids)
        for length in sorted(set(lengths.tolist())):
            same = [n for n, other in enumerate(lengths.tolist()) if other == length]
            states, _ = self.lstm(self.embedding(ids[same, :length]))
            logits = self.scores(states)
            rest = logits.new_zeros(ids.shape[1] - length, logits.shape[2])
            for place, n in enumerate(same):
                rows[n] = torch.cat([logits[place], rest])
        return torch.stack(rows)
