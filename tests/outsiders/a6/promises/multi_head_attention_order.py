# multi_head_attention: "params: the four arrays above, by name" - takes them in the order in which they lie in the dictionary
# params = dict(reversed(params.items())): the same y is right, here comes ValueError or other numbers
def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    in_weight, in_bias, out_weight, out_bias = params.values()
    source = x if memory is None else memory
    q, _, _ = project_qkv(x, in_weight, in_bias)
    _, k, v = project_qkv(source, in_weight, in_bias)
    q, k, v = (split_heads(a, num_heads) for a in (q, k, v))
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ out_weight.T + out_bias, weights
