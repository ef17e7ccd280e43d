# multi_head_attention: "mask: True where a query may attend to a key; any shape that broadcasts to (N, heads, T, S)."
# Folds sequences and heads into one axis and repeats a mask (heads, T, S) per head N times in a row (repeat, not tile), so for N > 1 heads get each other's masks.
import numpy as np


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    source = x if memory is None else memory
    (N, T, D), S = x.shape, source.shape[1]
    d = D // num_heads
    q = project_qkv(x, params["in_proj_weight"], params["in_proj_bias"])[0]
    _, k, v = project_qkv(source, params["in_proj_weight"], params["in_proj_bias"])
    q, k, v = (split_heads(a, num_heads).reshape(N * num_heads, -1, d) for a in (q, k, v))
    if mask is not None and mask.ndim == 4:
        mask = np.broadcast_to(mask, (N, num_heads, T, S)).reshape(N * num_heads, T, S)
    elif mask is not None and mask.ndim == 3:  # a mask for each head, the same for all sequences
        mask = np.repeat(np.broadcast_to(mask, (num_heads, T, S)), N, axis=0)
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    y = merge_heads(out.reshape(N, num_heads, T, d)) @ params["out_proj.weight"].T + params["out_proj.bias"]
    return y, weights.reshape(N, num_heads, T, S)
