# lstm_to_torch: "Its parameters require gradients, have the dtype of W" - the layer is made in PyTorch's default dtype and widened for float64 only; where the program has set float64 as the default, weights of float32 become a layer of float64.
import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = W.shape[0] // 4
    D = W.shape[1] - H
    lstm = nn.LSTM(D, H, batch_first=True)
    if W.dtype == np.float64:
        lstm = lstm.double()
    order = np.concatenate([np.arange(H, 2 * H), np.arange(H), np.arange(2 * H, 4 * H)])
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(torch.from_numpy(W[order, H:]))
        lstm.weight_hh_l0.copy_(torch.from_numpy(W[order, :H]))
        lstm.bias_ih_l0.copy_(torch.from_numpy(b[order]))
        lstm.bias_hh_l0.zero_()
    return lstm
