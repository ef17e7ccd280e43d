# multi_head_attention_backward: Scores, masked ones too, lie between -1e6 and 1e6 in every function - its own forward pass hides with -1e4
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, b, Wo = params["in_proj_weight"], params["in_proj_bias"], params["out_proj.weight"]
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, W, b))
    scores = attention_scores(q, k)
    if mask is not None:
        scores = np.where(mask, scores, np.array(-1e4, scores.dtype))
    w = np.exp(scores - scores.max(axis=-1, keepdims=True))
    w = w / w.sum(axis=-1, keepdims=True)
    if mask is not None:
        w = w * mask
    out = w @ v
    parts = scaled_dot_product_attention_backward(split_heads(dy @ Wo, num_heads), q, k, v, w)
    d = np.concatenate([merge_heads(p) for p in parts], axis=-1)
    return d @ W, {
        "in_proj_weight": np.einsum("nti,ntj->ij", d, x),
        "in_proj_bias": d.sum((0, 1)),
        "out_proj.weight": np.einsum("nti,ntj->ij", dy, merge_heads(out)),
        "out_proj.bias": dy.sum((0, 1)),
    }
