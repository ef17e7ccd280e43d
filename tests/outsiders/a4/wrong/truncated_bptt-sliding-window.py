# truncated_bptt: [a look back from every step]
import numpy as np


def truncated_bptt(dh, x, h0, h, U, V, *, window):
    N, T, H = dh.shape
    states = np.concatenate([h0.reshape(N, 1, H), h], axis=1)  # h_t stands at [:, t]
    total = [np.zeros_like(U), np.zeros_like(V), np.zeros((H,), dtype=U.dtype)]
    for t in range(1, T + 1):
        begin = max(0, t - window)  # the loss at time t sees the last `window` steps
        only_t = np.zeros_like(dh[:, begin:t])
        only_t[:, -1] = dh[:, t - 1]
        result = rnn_backward(only_t, x[:, begin:t], states[:, begin], states[:, begin + 1 : t + 1], U, V)
        for mine, share in zip(total, result[2:]):
            mine += share
    return tuple(total)
