# multi_head_attention: "The floating arrays of one call have one dtype, float32 or float64, and so have the results" (header) - with a mask, np.where(mask, 0.0, -np.inf) is float64 and widens float32 scores: y and weights come out as float64 (without a mask they do not).
import numpy as np


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    weight, bias = params["in_proj_weight"], params["in_proj_bias"]
    q, k, v = project_qkv(x, weight, bias)
    if memory is not None:
        _, k, v = project_qkv(memory, weight, bias)
    q, k, v = (split_heads(part, num_heads) for part in (q, k, v))
    scores = attention_scores(q, k)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(top == -np.inf, 0, top))
    total = powers.sum(axis=-1, keepdims=True)
    weights = powers / np.where(total == 0, 1, total)
    y = merge_heads(weights @ v) @ params["out_proj.weight"].T + params["out_proj.bias"]
    return y, weights
