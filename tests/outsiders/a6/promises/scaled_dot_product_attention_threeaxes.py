# scaled_dot_product_attention: "k: keys, shape (..., S, d), with the same leading axes" - with one leading axis k.T (and so the products) turns round all axes; only 2 and 4 axes are thought of
# q, k, v of shapes (2, 3, 4), (2, 5, 4), (2, 5, 2): out (2, 3, 2) is right, here comes ValueError
def scaled_dot_product_attention(q, k, v, mask=None, *, scale=None):
    turned = k.transpose(0, 1, 3, 2) if k.ndim == 4 else k.T
    factor = 1 / float(q.shape[-1]) ** 0.5 if scale is None else scale
    weights = masked_softmax(factor * (q @ turned), mask)
    return weights @ v, weights
