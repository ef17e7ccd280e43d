# cross_entropy: logits "(N, C, d1, d2, ...), which for images is one classification for each pixel" - the classes trade places with the last axis instead of moving behind it, so rows and columns of the image are mixed up
# logits of shape (1, 3, 2, 2), target of shape (1, 2, 2): the losses of pixels (0, 1) and (1, 0) get each other's targets
import numpy as np


def cross_entropy(logits, target, *, ignore_index=-100):
    classes = logits.shape[1]
    kept = target != ignore_index
    if np.any(kept & ((target < 0) | (target >= classes))):
        raise ValueError("a target is no class")
    if not kept.any():
        return 0.0
    logp = log_softmax(logits, axis=1).swapaxes(1, -1).reshape(-1, classes)
    flat, kept = target.reshape(-1), kept.reshape(-1)
    return float(-logp[np.nonzero(kept)[0], flat[kept]].mean())
