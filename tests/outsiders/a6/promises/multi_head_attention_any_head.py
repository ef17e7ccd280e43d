# multi_head_attention: "A query that sees nothing retrieves zeros, so its y is ``out_proj.bias``." - y is set to the bias where a query sees nothing in one of its heads, though it sees something in another
# Differs: mask (heads, T, S) = [[[1, 1]], [[0, 0]]], broadcast over the queries: head 0 sees all, head 1 nothing; right y holds what head 0 found, here out_proj.bias.
import numpy as np


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    searched = x if memory is None else memory
    weight, bias = params["in_proj_weight"], params["in_proj_bias"]
    q = project_qkv(x, weight, bias)[0]
    k, v = project_qkv(searched, weight, bias)[1:]
    q, k, v = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    y = merge_heads(out) @ params["out_proj.weight"].T + params["out_proj.bias"]
    if mask is not None:
        blind = ~np.broadcast_to(mask, weights.shape).any(axis=-1)  # (N, heads, T)
        y[blind.any(axis=1)] = params["out_proj.bias"]
    return y, weights
