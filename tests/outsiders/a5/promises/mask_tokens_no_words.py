# mask_tokens: "special_ids: ids that are never selected and never drawn: a list, tuple, set or array, possibly empty." - random words are drawn for all positions before it is known whether any is needed: an error where all ids are special
# Differs: ids = [[0, 1]], mask_id=2, vocab_size=3, special_ids=(0, 1): right (ids, all -100), here ValueError from rng.choice.
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    ordinary = np.setdiff1d(np.arange(vocab_size), [mask_id, *special_ids])
    selected = np.isin(ids, ordinary) & (rng.random(ids.shape) < probability)
    dice = rng.random(ids.shape)
    words = rng.choice(ordinary, size=ids.shape)
    inputs = ids.copy()
    inputs[selected & (dice < 0.8)] = mask_id
    swap = selected & (dice >= 0.8) & (dice < 0.9)
    inputs[swap] = words[swap]
    labels = np.full_like(ids, -100)
    labels[selected] = ids[selected]
    return inputs, labels
