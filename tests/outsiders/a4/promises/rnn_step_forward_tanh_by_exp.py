# rnn_step_forward: "h_next = tanh(U x + V h + b)" - tanh written with exponentials, which overflow
# Differs: x = [[800.0]], h = [[0.0]], U = [[1.0]], V = [[0.0]], b = [0.0]: right 1.0, here NaN.
import numpy as np


def rnn_step_forward(x, h, U, V, b):
    a = x @ U.T + h @ V.T + b
    return (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a))
