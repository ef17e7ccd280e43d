# to_torch: "Each has memory of its own: writing into one changes neither another one nor an array" - both biases are the same half of b in memory
# any U, V, b; fill bias_ih_l0 with 7: right bias_hh_l0 stays as it is, here it becomes 7 too
import torch
from torch import nn


def to_torch(U, V, b):
    U, V, half = torch.tensor(U), torch.tensor(V), torch.tensor(b) / 2
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, dtype=U.dtype)
    rnn.weight_ih_l0.data = U
    rnn.weight_hh_l0.data = V
    rnn.bias_ih_l0.data = half
    rnn.bias_hh_l0.data = half
    return rnn
