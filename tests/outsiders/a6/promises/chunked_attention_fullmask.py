# chunked_attention: "at most N * heads * T * T / 2 numbers, half of a T x T matrix for every head of every sequence" - one whole T x T mask of numbers, shared by all heads: too much for N * heads = 1
# N = heads = 1, T = 256, chunk = 8, is_causal=True: at most 0.5 T x T is right, here comes over 1
import torch


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T = q.shape[2]
    if is_causal:
        hide = torch.full((T, T), -torch.inf, dtype=q.dtype, device=q.device).triu_(1)
    pieces = []
    for start in range(0, T, chunk):
        scores = q[:, :, start : start + chunk] @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if is_causal:
            scores += hide[start : start + chunk]
        pieces.append(scores.softmax(dim=-1) @ v)
    return torch.cat(pieces, dim=2)
