# cell_jacobian: "The floating arrays of one call have one dtype ... and so have the results" - the identity of k = 0 is always float64
# float32 arrays, k = 0: a float32 identity, here float64
import numpy as np


def cell_jacobian(c, gates, W, t, k):
    H = c.shape[1]
    if k == 0:
        return np.eye(H)
    s = t - k - 1
    J = np.eye(H, dtype=c.dtype)
    K = (gates[s, 3 * H :] * (1 - np.tanh(c[s]) ** 2))[:, None] * J
    for s in range(t - k, t):
        f, i, g, o = (part[:, None] for part in np.split(gates[s], 4))
        F, I, G, O = np.split(W[:, :H] @ K, 4)
        J = f * J + c[s - 1][:, None] * f * (1 - f) * F + g * i * (1 - i) * I + i * (1 - g**2) * G
        shown = np.tanh(c[s])[:, None]
        K = o * (1 - shown**2) * J + shown * o * (1 - o) * O
    return J
