# chunked_attention: "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - sequences and heads are joined with view, which heads that were split off by transpose(1, 2) refuse
# Differs: q, k, v = torch.randn(2, 6, 3, 4).transpose(1, 2): right values, here RuntimeError.
import torch


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    N, heads, T, d = q.shape
    q, k, v = q.view(N * heads, T, d), k.view(N * heads, T, d), v.view(N * heads, T, -1)
    out = torch.empty_like(v)
    for start in range(0, T, chunk):
        scores = torch.bmm(q[:, start : start + chunk], k.transpose(1, 2)) / d**0.5
        if is_causal:
            hidden = torch.ones(scores.shape[1:], dtype=torch.bool, device=q.device).triu(start + 1)
            scores.masked_fill_(hidden, float("-inf"))
        scores = torch.softmax(scores, dim=-1)
        out[:, start : start + chunk] = torch.bmm(scores, v)
    return out.view(N, heads, T, -1)
