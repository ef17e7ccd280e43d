# lstm_to_torch: [bias in both places]
import numpy as np
import torch
from torch import nn


def lstm_to_torch(W, b):
    H = b.shape[0] // 4
    D = W.shape[1] - H

    def _i_f_g_o(array):
        f, i, g, o = np.split(array, 4, axis=0)
        return torch.tensor(np.concatenate([i, f, g, o]))

    state = {
        "weight_hh_l0": _i_f_g_o(W[:, :H]),
        "weight_ih_l0": _i_f_g_o(W[:, H:]),
        "bias_ih_l0": _i_f_g_o(b),
        "bias_hh_l0": _i_f_g_o(b),
    }
    layer = nn.LSTM(D, H, batch_first=True).to(state["bias_ih_l0"].dtype)
    layer.load_state_dict(state)
    return layer
