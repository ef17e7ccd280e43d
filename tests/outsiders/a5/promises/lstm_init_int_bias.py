# lstm_init: "(W, b), shapes (4H, H + D) and (4H,), float64." - b takes the type of forget_bias, so a whole number makes it an integer array
# Differs: lstm_init(2, 3, rng=rng, forget_bias=3): b has dtype int64.
import numpy as np


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / np.sqrt(hidden_size)
    W = rng.uniform(-bound, bound, (4 * hidden_size, hidden_size + input_size))
    return W, np.repeat([forget_bias, 0, 0, 0], hidden_size)
