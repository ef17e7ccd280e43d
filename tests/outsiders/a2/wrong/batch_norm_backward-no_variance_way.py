# batch_norm_backward: [way through the variance missing]
import numpy as np


def batch_norm_backward(dy, x, gamma, *, eps=1e-5):
    dx = np.zeros(x.shape, np.result_type(dy, x, gamma))
    dgamma, dbeta = np.zeros_like(gamma), np.zeros_like(gamma)
    for c in range(len(gamma)):
        values, arriving = x[:, c], dy[:, c]
        deviations = values - values.mean()
        sigma = np.sqrt((deviations**2).mean() + eps)
        dgamma[c] = (arriving * deviations / sigma).sum()
        dbeta[c] = arriving.sum()
        direct = gamma[c] * arriving / sigma
        dx[:, c] = direct - direct.mean()
    return dx, dgamma, dbeta
