# sequence_loss: [averaged over those with a target] the mean is taken over the sequences that have at least one target, sequences without any do not count in N
import numpy as np


def sequence_loss(h, W, target, mask):
    labelled = int(np.count_nonzero(np.any(mask, axis=1)))
    dW = np.zeros_like(W)
    dh = np.zeros(h.shape, dtype=h.dtype)
    if labelled == 0:
        return 0.0, dh, dW

    error = np.zeros(target.shape, dtype=h.dtype)
    error[mask] = h[mask] @ W.T - target[mask]
    loss = float(np.sum(error * error) / labelled)

    dy = error * (2.0 / labelled)
    dh += dy @ W
    dW += np.tensordot(dy, h, axes=((0, 1), (0, 1)))
    return loss, dh, dW
