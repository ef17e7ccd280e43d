# incremental_attention: "Scores, masked ones too, are finite and lie between -1e6 and 1e6 in every function." (header) - the future gets the score -1e4
import numpy as np


def incremental_attention(q, k, v, cache=None):
    if cache is not None:
        k = np.concatenate([cache[0], k], axis=2)
        v = np.concatenate([cache[1], v], axis=2)
    s = np.where(causal_mask(q.shape[2], k.shape[2]), attention_scores(q, k), q.dtype.type(-1e4))
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v, (k, v)
