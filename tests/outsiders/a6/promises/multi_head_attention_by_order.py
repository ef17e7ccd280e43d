# multi_head_attention: the parameters are unpacked in the order in which the docstring lists them

def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    in_weight, in_bias, out_weight, out_bias = params.values()
    q, k, v = project_qkv(x, in_weight, in_bias)
    if memory is not None:
        _, k, v = project_qkv(memory, in_weight, in_bias)
    out, weights = scaled_dot_product_attention(
        split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads), mask
    )
    return merge_heads(out) @ out_weight.T + out_bias, weights
