# mask_tokens: "special_ids: ... possibly empty, possibly all ids, so that no word is ordinary. ``mask_id`` may be one of them" - recognizes that no word is ordinary by len(special_ids) == vocab_size, which forgets that mask_id need not be among them: with all other ids special it draws from an empty array.
# mask_tokens(np.array([[0, 1, 2]]), mask_id=3, vocab_size=4, special_ids=[0, 1, 2], rng=np.random.default_rng(0))
# promised: inputs [[0, 1, 2]], labels all -100; comes out: ValueError: a cannot be empty unless no samples are taken
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    special = list(special_ids)
    labels = np.full_like(ids, -100)
    inputs = ids.copy()
    if len(special) == vocab_size:  # no ordinary word at all
        return inputs, labels
    words = np.setdiff1d(np.arange(vocab_size), [*special, mask_id])
    selected = np.isin(ids, words) & (rng.random(ids.shape) < probability)
    labels[selected] = ids[selected]
    fate = rng.random(ids.shape)
    drawn = rng.choice(words, size=ids.shape)
    inputs[selected & (fate < 0.8)] = mask_id
    exchange = selected & (fate >= 0.8) & (fate < 0.9)
    inputs[exchange] = drawn[exchange]
    return inputs, labels
