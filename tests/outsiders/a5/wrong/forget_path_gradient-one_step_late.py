# forget_path_gradient: [steps counted from zero]
import numpy as np


def forget_path_gradient(f, t, k):
    on_the_way = f[t - k + 1 : t + 1]  # f_{t-k+1}, ..., f_t
    return np.multiply.reduce(on_the_way, axis=0)
