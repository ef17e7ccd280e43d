# sequence_loss: "N is their number, however many targets there are, and a sequence without any counts too." - a sequence without any target is not counted
# two sequences, the second without a target, error 1 in the first: right loss 0.5, here 1
import numpy as np


def sequence_loss(h, W, target, mask):
    N = max(int(mask.any(axis=1).sum()), 1)
    e = np.where(mask[..., None], h @ W.T - target, 0)
    d = 2 / N * e
    return float((e * e).sum()) / N, d @ W, np.einsum("nto,nth->oh", d, h)
