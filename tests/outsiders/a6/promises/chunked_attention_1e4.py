# chunked_attention: "also for scores from -1e4 to 1e4" - later keys get the score -1e4, which is a score that a kept key may have
# q = [[100], [100]], k = [[-100], [-100]], v = [[1], [0]], d = 1, causal: first output 1 is right, here comes 0.5
import torch


def chunked_attention(q, k, v, *, chunk, is_causal=False):
    T = q.shape[2]
    place = torch.arange(T, device=q.device)
    pieces = []
    for start in range(0, T, chunk):
        scores = q[:, :, start : start + chunk] @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if is_causal:
            scores = scores.masked_fill(place > place[start : start + chunk, None], -1e4)
        pieces.append(scores.softmax(dim=-1) @ v)
        del scores
    return torch.cat(pieces, dim=2)
