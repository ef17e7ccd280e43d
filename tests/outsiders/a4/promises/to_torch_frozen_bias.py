# to_torch: "Its parameters require gradients and have the dtype of U." - the second bias is zero and does not require a gradient
# Differs: any U, V, b: bias_hh_l0.requires_grad is False.
import torch
from torch import nn


def to_torch(U, V, b):
    rnn = nn.RNN(U.shape[1], U.shape[0], batch_first=True)
    rnn.weight_ih_l0 = nn.Parameter(torch.tensor(U))
    rnn.weight_hh_l0 = nn.Parameter(torch.tensor(V))
    rnn.bias_ih_l0 = nn.Parameter(torch.tensor(b))
    rnn.bias_hh_l0 = nn.Parameter(torch.zeros_like(rnn.bias_ih_l0), requires_grad=False)  # one bias is enough
    return rnn
