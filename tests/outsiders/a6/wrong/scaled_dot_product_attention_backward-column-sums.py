# scaled_dot_product_attention_backward: [summed over the queries]
import math

import numpy as np


def _scaled_dot_product_attention_backward_one(dout, q, k, v, w, scale):
    """Plain matrices: dout (T, e), q (T, d), k (S, d), v (S, e), w (T, S)."""
    dv = w.T.dot(dout)
    dw = dout.dot(v.T)
    average = np.sum(dw * w, axis=0)
    ds = w * (dw - average)
    return scale * ds.dot(k), scale * ds.T.dot(q), dv


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = 1 / math.sqrt(q.shape[-1]) if scale is None else float(scale)
    dtype = np.result_type(dout, q, k, v, weights)
    dq, dk, dv = (np.zeros(a.shape, dtype) for a in (q, k, v))
    for where in np.ndindex(q.shape[:-2]):
        dq[where], dk[where], dv[where] = _scaled_dot_product_attention_backward_one(
            dout[where], q[where], k[where], v[where], weights[where], factor
        )
    return dq, dk, dv
