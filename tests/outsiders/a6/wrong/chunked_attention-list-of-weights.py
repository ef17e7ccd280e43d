# chunked_attention: [all weights kept]
import math

import torch


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    length, scale = q.shape[-2], 1 / math.sqrt(q.shape[-1])
    place = torch.arange(length, device=q.device)
    rows = []
    for queries, here in zip(q.split(chunk, dim=-2), place.split(chunk), strict=True):
        scores = queries @ k.transpose(-1, -2) * scale
        if is_causal:
            scores = scores.masked_fill(place > here.unsqueeze(-1), float("-inf"))
        rows.append(scores.softmax(dim=-1))
    return torch.cat([weights @ v for weights in rows], dim=-2)
