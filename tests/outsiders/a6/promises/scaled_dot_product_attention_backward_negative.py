# scaled_dot_product_attention_backward: "scale: the factor of the forward pass" - the root of the scale is given to q and to k, "abs" so that it exists: the sign of a negative scale is lost
# dout, q, k, v, weights of any random call with scale=-0.5: dq, dk are right, here comes -dq, -dk
def scaled_dot_product_attention_backward(dout, q, k, v, weights, *, scale=None):
    factor = 1 / float(q.shape[-1]) ** 0.5 if scale is None else float(scale)
    root = abs(factor) ** 0.5
    q_scaled, k_scaled = root * q, root * k
    dw = dout @ v.swapaxes(-1, -2)
    ds = weights * (dw - (weights * dw).sum(axis=-1, keepdims=True))
    dq = root * (ds @ k_scaled)
    dk = root * (ds.swapaxes(-1, -2) @ q_scaled)
    return dq, dk, weights.swapaxes(-1, -2) @ dout
