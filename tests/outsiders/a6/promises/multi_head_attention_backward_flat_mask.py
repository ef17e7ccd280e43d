# multi_head_attention_backward: "mask: as in the forward pass." - the blind queries are looked up in a mask of shape (T, S) only
# Differs: x (2, 3, 4), mask of shape (2, 1, 1, 3) from padding_mask: right gradients, here IndexError.
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, Wo = params["in_proj_weight"], params["out_proj.weight"]
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, W, params["in_proj_bias"]))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    merged = merge_heads(out)
    dout = split_heads(dy @ Wo, num_heads)
    dq, dk, dv = scaled_dot_product_attention_backward(dout, q, k, v, weights)
    if mask is not None:
        dq = dq.copy()
        dq[:, :, ~mask.any(axis=-1)] = 0  # who sees nothing contributes nothing
    d = np.concatenate([merge_heads(a) for a in (dq, dk, dv)], axis=-1)
    grads = {
        "in_proj_weight": np.einsum("nti,ntj->ij", d, x),
        "in_proj_bias": d.sum(axis=(0, 1)),
        "out_proj.weight": np.einsum("nti,ntj->ij", dy, merged),
        "out_proj.bias": dy.sum(axis=(0, 1)),
    }
    return d @ W, grads
