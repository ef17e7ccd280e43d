# multi_head_attention_backward: [last layer skipped on the way back]
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    w_in, b_in = params["in_proj_weight"], params["in_proj_bias"]

    # forward, once more
    heads = [split_heads(part, num_heads) for part in project_qkv(x, w_in, b_in)]
    out, weights = scaled_dot_product_attention(*heads, mask)
    merged = merge_heads(out)

    # backward
    grads = {
        "out_proj.weight": np.einsum("nto,nti->oi", dy, merged),
        "out_proj.bias": dy.sum(axis=(0, 1)),
    }
    dheads = scaled_dot_product_attention_backward(split_heads(dy, num_heads), *heads, weights)
    dqkv = np.concatenate([merge_heads(g) for g in dheads], axis=2)
    grads["in_proj_weight"] = np.einsum("nto,nti->oi", dqkv, x)
    grads["in_proj_bias"] = dqkv.sum(axis=(0, 1))
    return dqkv @ w_in, grads
