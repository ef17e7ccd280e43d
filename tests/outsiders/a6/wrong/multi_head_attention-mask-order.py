# multi_head_attention: [masks dealt out in another order]
import math

import numpy as np


def _multi_head_attention_head(q, k, v, keep):
    """One head of one sequence: q (T, d), k and v (S, d), keep (T, S)."""
    scores = q @ k.T / math.sqrt(q.shape[1])
    weights = np.zeros_like(scores)
    for i, row in enumerate(keep):
        if row.any():
            kept = np.exp(scores[i, row] - scores[i, row].max())
            weights[i, row] = kept / kept.sum()
    return weights @ v, weights


def multi_head_attention(x, params, num_heads, *, memory=None, mask=None):
    source = x if memory is None else memory
    N, T, D = x.shape
    S, d = source.shape[1], D // num_heads
    W, b = params["in_proj_weight"], params["in_proj_bias"]
    q = x @ W[:D].T + b[:D]
    k = source @ W[D : 2 * D].T + b[D : 2 * D]
    v = source @ W[2 * D :].T + b[2 * D :]

    if mask is None:
        masks = [np.ones((T, S), dtype=bool)] * (N * num_heads)
    else:
        full = np.broadcast_to(mask, (N, num_heads, T, S))
        masks = [full[n, h] for h in range(num_heads) for n in range(N)]

    merged = np.empty((N, T, D), dtype=q.dtype)
    weights = np.empty((N, num_heads, T, S), dtype=q.dtype)
    jobs = iter(masks)
    for n in range(N):
        for h in range(num_heads):
            mine = slice(h * d, (h + 1) * d)
            merged[n, :, mine], weights[n, h] = _multi_head_attention_head(
                q[n, :, mine], k[n, :, mine], v[n, :, mine], next(jobs)
            )
    return merged @ params["out_proj.weight"].T + params["out_proj.bias"], weights
