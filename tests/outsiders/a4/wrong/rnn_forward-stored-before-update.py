# rnn_forward: [states before the steps]
import numpy as np


def rnn_forward(x: np.ndarray, h0: np.ndarray, U: np.ndarray, V: np.ndarray, b: np.ndarray) -> np.ndarray:
    n_sequences, n_steps, _ = x.shape
    states = np.empty((n_sequences, n_steps, h0.shape[1]), dtype=h0.dtype)
    current = h0
    for step in range(n_steps):
        states[:, step] = current
        current = rnn_step_forward(x[:, step], current, U, V, b)
    return states
