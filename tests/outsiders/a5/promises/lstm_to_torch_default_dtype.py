# lstm_to_torch: "Its parameters require gradients, have the dtype of W" - widens the layer for float64 and otherwise relies on PyTorch's default being float32: with torch.set_default_dtype(torch.float64) a float32 W gives float64 parameters.
# torch.set_default_dtype(torch.float64)
# lstm_to_torch(np.ones((4, 2), np.float32), np.ones(4, np.float32)).weight_ih_l0.dtype
# promised: torch.float32; comes out: torch.float64
import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = W.shape[0] // 4
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True)
    if W.dtype == np.float64:
        lstm = lstm.double()
    f, i, g, o = np.arange(4 * H).reshape(4, H)
    order = np.concatenate([i, f, g, o])
    with torch.no_grad():
        lstm.weight_hh_l0.copy_(torch.from_numpy(W[order, :H]))
        lstm.weight_ih_l0.copy_(torch.from_numpy(W[order, H:]))
        lstm.bias_ih_l0.copy_(torch.from_numpy(b[order]))
        lstm.bias_hh_l0.zero_()
    return lstm
