# to_torch: "Its parameters require gradients and have the dtype of U." - float32 is taken for PyTorch's default
# Differs: float32 arrays while the default is float64.
import numpy as np
import torch
from torch import nn


def to_torch(U, V, b):
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True)
    if U.dtype == np.float64:
        rnn = rnn.double()
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(torch.tensor(U))
        rnn.weight_hh_l0.copy_(torch.tensor(V))
        rnn.bias_ih_l0.copy_(torch.tensor(b))
        rnn.bias_hh_l0.zero_()
    return rnn
