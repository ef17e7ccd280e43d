# mask_tokens: [random words of this batch alone] the random words come from the ordinary words that occur in ids, each as often as the others, instead of from all ordinary ids below vocab_size
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    forbidden = np.array([mask_id, *special_ids], dtype=np.int64)
    ordinary = ~np.isin(ids, forbidden)
    vocabulary = np.unique(ids[ordinary])

    chosen = ordinary & (rng.random(ids.shape) < probability)
    labels = np.full_like(ids, -100)
    labels[chosen] = ids[chosen]

    inputs = ids.copy()
    fate = rng.random(ids.shape)
    inputs[chosen & (fate < 0.8)] = mask_id
    swap = chosen & (fate >= 0.8) & (fate < 0.9)
    if swap.any():
        inputs[swap] = vocabulary[rng.integers(0, len(vocabulary), size=int(swap.sum()))]
    return inputs, labels
