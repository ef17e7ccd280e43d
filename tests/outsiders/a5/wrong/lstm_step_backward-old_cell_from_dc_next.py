# lstm_step_backward: [old cell gets only what was there]
import numpy as np


def lstm_step_backward(dh_next, dc_next, x, h, c, c_next, gates, W):
    N, H = h.shape
    f, i, g, o = gates.reshape(N, 4, H).transpose(1, 0, 2)

    # the conveyor belt: c_next = f * c + ..., one factor f and nothing else
    dc = dc_next * f

    # h_next = o * tanh(c_next)
    shown = np.tanh(c_next)
    do = dh_next * shown
    dcell = dc_next + dh_next * o * (1 - shown**2)

    # c_next = f * c + i * g
    df = dcell * c
    di = dcell * g
    dg = dcell * i

    da = np.empty((N, 4, H), dtype=dcell.dtype)
    da[:, 0] = df * f * (1 - f)
    da[:, 1] = di * i * (1 - i)
    da[:, 2] = dg * (1 - g**2)
    da[:, 3] = do * o * (1 - o)
    da = da.reshape(N, 4 * H)

    dhx = da @ W
    dW = np.einsum("nr,nk->rk", da, np.concatenate((h, x), axis=1))
    return dhx[:, H:], dhx[:, :H], dc, dW, da.sum(axis=0)
