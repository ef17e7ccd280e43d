"""Assignment 5 in PyTorch."""

from __future__ import annotations

import numpy as np
import torch
from packing import Packed, pack
from torch import Tensor, nn


class FromNumPy:
    """Blocks f, i, g, o of an array, handed out as i, f, g, o."""

    def __init__(self, array: np.ndarray) -> None:
        self.f, self.i, self.g, self.o = torch.as_tensor(np.array(array, order="C")).chunk(4)

    def parameter(self, columns: slice | None = None) -> nn.Parameter:
        rows = torch.cat([self.i, self.f, self.g, self.o])
        return nn.Parameter((rows if columns is None else rows[:, columns]).clone().contiguous())


def lstm_to_torch(W: np.ndarray, b: np.ndarray) -> nn.LSTM:
    hidden = W.shape[0] // 4
    weights, biases = FromNumPy(W), FromNumPy(b)
    lstm = nn.LSTM(W.shape[1] - hidden, hidden, batch_first=True)
    lstm.weight_hh_l0 = weights.parameter(slice(None, hidden))
    lstm.weight_ih_l0 = weights.parameter(slice(hidden, None))
    lstm.bias_ih_l0 = biases.parameter()
    lstm.bias_hh_l0 = nn.Parameter(torch.zeros_like(lstm.bias_ih_l0))
    return lstm


def packed_final_states(lstm: nn.LSTM, x: Tensor, lengths: Tensor) -> Tensor:
    h_n = lstm(pack(x, lengths))[1][0]
    return h_n[-2:].transpose(0, 1).flatten(1)


class MaskedWordModel(nn.Module):
    """Two bidirectional layers, whose forget gates begin open."""

    def __init__(self, vocab_size: int, embedding_dim: int, hidden_size: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        lstm = nn.LSTM(embedding_dim, hidden_size, num_layers=2, batch_first=True, bidirectional=True)
        for name, parameter in lstm.named_parameters():
            if name.startswith("bias_hh"):
                nn.init.ones_(parameter.data[hidden_size : 2 * hidden_size])
        self.reader = Packed(lstm)
        self.head = nn.Linear(2 * hidden_size, vocab_size)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        return self.head(self.reader(self.embedding(ids), lengths))
