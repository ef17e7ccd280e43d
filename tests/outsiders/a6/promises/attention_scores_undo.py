# attention_scores: header "The floating arrays of one call have one dtype, float32 or float64, and so have the results" - only where a scale is given, the usual root is undone with np.sqrt, and float32 becomes float64
# attention_scores(q, k, scale=0.5) in float32: float32 is right, here comes float64
import numpy as np


def attention_scores(q, k, *, scale=None):
    d = q.shape[-1]
    scores = (q @ k.swapaxes(-1, -2)) / float(d) ** 0.5
    if scale is not None:
        scores = scores * np.sqrt(d) * scale
    return scores
