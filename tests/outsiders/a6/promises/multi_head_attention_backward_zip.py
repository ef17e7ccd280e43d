# multi_head_attention_backward: "grads has the keys of params, and each entry the shape of its parameter." / "params: the four arrays of multi_head_attention, by name as there" - the gradients get their names by the order of the dictionary: params in another order get gradients under wrong names.
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    D = x.shape[-1]
    weight, out_weight = params["in_proj_weight"], params["out_proj.weight"]
    q, k, v = (split_heads(part, num_heads) for part in project_qkv(x, weight, params["in_proj_bias"]))
    out, attention = scaled_dot_product_attention(q, k, v, mask)
    merged = merge_heads(out)
    dout = split_heads(dy @ out_weight, num_heads)
    parts = scaled_dot_product_attention_backward(dout, q, k, v, attention)
    dqkv = np.concatenate([merge_heads(part) for part in parts], axis=-1)
    rows = dqkv.reshape(-1, 3 * D)
    gradients = (
        rows.T @ x.reshape(-1, D),
        rows.sum(axis=0),
        dy.reshape(-1, D).T @ merged.reshape(-1, D),
        dy.sum(axis=(0, 1)),
    )
    return dqkv @ weight, dict(zip(params, gradients))
