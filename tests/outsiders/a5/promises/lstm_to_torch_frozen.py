# lstm_to_torch: "Its parameters require gradients, have the dtype of W and are copies: what becomes of the arrays later does not change them." - gradients are switched off to be allowed to write into the parameters, and never switched on again
# Differs: any W and b: lstm.weight_ih_l0.requires_grad is False.
import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = b.shape[0] // 4
    order = np.r_[H : 2 * H, 0:H, 2 * H : 4 * H]  # f, i, g, o -> i, f, g, o
    weights, bias = torch.from_numpy(W[order]), torch.from_numpy(b[order])
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True, dtype=weights.dtype)
    for parameter in lstm.parameters():
        parameter.requires_grad = False  # else copy_ complains about a leaf
    lstm.weight_hh_l0.copy_(weights[:, :H])
    lstm.weight_ih_l0.copy_(weights[:, H:])
    lstm.bias_ih_l0.copy_(bias)
    lstm.bias_hh_l0.zero_()
    return lstm
