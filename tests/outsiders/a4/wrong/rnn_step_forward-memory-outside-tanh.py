# rnn_step_forward: [memory past the nonlinearity]
import numpy as np


def rnn_step_forward(x, h, U, V, b):
    """New information is squashed first; what is remembered comes on top."""
    candidate = np.tanh(np.dot(x, U.T) + b)
    memory = np.dot(h, V.T)
    return candidate + memory
