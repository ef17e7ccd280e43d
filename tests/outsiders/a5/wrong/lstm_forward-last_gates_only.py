# lstm_forward: [gates of the last step alone]
import numpy as np


def lstm_forward(x, h0, c0, W, b):
    hidden, cells = [], []
    state, memory = h0, c0
    for t in range(x.shape[1]):
        state, memory, gates = lstm_step_forward(x[:, t, :], state, memory, W, b)  # noqa: F821
        hidden.append(state)
        cells.append(memory)
    return np.stack(hidden, axis=1), np.stack(cells, axis=1), gates
