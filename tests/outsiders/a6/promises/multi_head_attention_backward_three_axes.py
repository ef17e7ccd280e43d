# multi_head_attention_backward: "mask: as in the forward pass" - a mask of three axes is taken for one per sequence
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    if mask is not None and mask.ndim == 3:
        mask = mask[:, None]
    W, b, Wo = params["in_proj_weight"], params["in_proj_bias"], params["out_proj.weight"]
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, W, b))
    out, w = scaled_dot_product_attention(q, k, v, mask)
    parts = scaled_dot_product_attention_backward(split_heads(dy @ Wo, num_heads), q, k, v, w)
    d = np.concatenate([merge_heads(p) for p in parts], axis=-1)
    return d @ W, {
        "in_proj_weight": np.einsum("nti,ntj->ij", d, x),
        "in_proj_bias": d.sum((0, 1)),
        "out_proj.weight": np.einsum("nti,ntj->ij", dy, merge_heads(out)),
        "out_proj.bias": dy.sum((0, 1)),
    }
