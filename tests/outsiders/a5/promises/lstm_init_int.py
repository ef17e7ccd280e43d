# lstm_init: "(W, b) ... both float64" and "a whole number may come as an int" - a list of ints makes an array of ints
# forget_bias=2: b float64, here int64
import numpy as np


def lstm_init(input_size, hidden_size, *, rng, forget_bias=1.0):
    bound = 1 / np.sqrt(hidden_size)
    W = rng.uniform(-bound, bound, (4 * hidden_size, hidden_size + input_size))
    return W, np.repeat([forget_bias, 0, 0, 0], hidden_size)
