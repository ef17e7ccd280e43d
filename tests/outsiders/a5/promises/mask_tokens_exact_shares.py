# mask_tokens: "What becomes of a selected word is decided for each one by itself:" - the selected words are shuffled and cut into exact shares of 80, 10 and 10 percent
# Differs: ids with one ordinary word, probability=1: it is never masked (int(0.8 * 1) = 0), where 4 of 5 generators should mask it; of 10 always exactly 8 are masked.
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    banned = {int(i) for i in special_ids} | {mask_id}
    ordinary = np.array([i for i in range(vocab_size) if i not in banned], dtype=ids.dtype)
    selected = np.isin(ids, ordinary) & (rng.random(ids.shape) < probability)
    labels = np.where(selected, ids, np.array(-100, dtype=ids.dtype))
    inputs = ids.copy()
    rows, cols = np.nonzero(selected)
    order = rng.permutation(len(rows))
    first, second = int(0.8 * len(rows)), int(0.9 * len(rows))
    masked, swapped = order[:first], order[first:second]
    inputs[rows[masked], cols[masked]] = mask_id
    if len(swapped):
        inputs[rows[swapped], cols[swapped]] = rng.choice(ordinary, size=len(swapped))
    return inputs, labels
