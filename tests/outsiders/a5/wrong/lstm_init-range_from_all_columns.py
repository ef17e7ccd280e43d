# lstm_init: [range from all columns]
import math

import numpy as np


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    rows, fan_in = 4 * hidden_size, hidden_size + input_size
    bound = 1.0 / math.sqrt(fan_in)
    weights = bound * (2.0 * rng.random((rows, fan_in)) - 1.0)
    biases = np.repeat([float(forget_bias), 0.0, 0.0, 0.0], hidden_size)
    return weights, biases
