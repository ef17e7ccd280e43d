"""Recurrences written out; parameters copied block by block."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


def lstm_to_torch(W, b):
    H = len(b) // 4
    W, b = torch.tensor(W), torch.tensor(b)
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True, device="meta", dtype=W.dtype).to_empty(device="cpu")
    with torch.no_grad():
        for mine, theirs in enumerate((1, 0, 2, 3)):
            here, there = slice(mine * H, (mine + 1) * H), slice(theirs * H, (theirs + 1) * H)
            lstm.weight_hh_l0[there] = W[here, :H]
            lstm.weight_ih_l0[there] = W[here, H:]
            lstm.bias_ih_l0[there] = b[here]
            lstm.bias_hh_l0[there] = 0
    return lstm


def packed_final_states(lstm, x, lengths):
    """Both directions of each layer, step by step; a step of the padding leaves the states as they are."""
    N, T, _ = x.shape
    inside = (torch.arange(T) < lengths[:, None])[:, :, None].to(x.device)
    y = torch.where(inside, x, x.new_zeros(()))
    for layer in range(lstm.num_layers):
        if layer and lstm.dropout:
            y = F.dropout(y, lstm.dropout, lstm.training)
        outs, finals = [], []
        for direction in range(2):
            wi, wh, *biases = lstm.all_weights[2 * layer + direction]
            h = c = y.new_zeros(N, lstm.hidden_size)
            out = {}
            for t in reversed(range(T)) if direction else range(T):
                a = y[:, t] @ wi.T + h @ wh.T + sum(biases)
                i, f, g, o = a.chunk(4, dim=1)
                new_c = f.sigmoid() * c + i.sigmoid() * g.tanh()
                new_h = o.sigmoid() * new_c.tanh()
                h, c = torch.where(inside[:, t], new_h, h), torch.where(inside[:, t], new_c, c)
                out[t] = h
            outs.append(torch.stack([out[t] for t in range(T)], dim=1))
            finals.append(h)
        y = torch.cat(outs, dim=2)
    return torch.cat(finals, dim=1)


class MaskedWordModel(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.cells = nn.ModuleList(nn.LSTMCell(embedding_dim, hidden_size) for _ in range(2))
        self.scores = nn.ModuleList(nn.Linear(hidden_size, vocab_size, bias=k == 0) for k in range(2))
        self.hidden_size = hidden_size

    def forward(self, ids, lengths):
        y = self.embedding(ids)
        N, T, _ = y.shape
        inside = (torch.arange(T, device=ids.device) < lengths.to(ids.device)[:, None])[:, :, None]
        logits = 0
        for k, times in enumerate((range(T), range(T - 1, -1, -1))):
            h = c = y.new_zeros(N, self.hidden_size)
            states = [h] * T
            for t in times:
                new_h, new_c = self.cells[k](y[:, t], (h, c))
                h, c = new_h * inside[:, t], new_c * inside[:, t]
                states[t] = h
            logits = logits + self.scores[k](torch.stack(states, dim=1))
        return logits
