# mask_tokens: "Each position with an ordinary word is selected with the given probability, independently of all other positions." - so that the loss has something to average, selects one word when chance has selected none in the whole batch; for small batches words are then selected too often and not independently.
# ids, rng = np.array([[1, 2, 3, 5]]), np.random.default_rng(0)
# none = np.mean([(mask_tokens(ids, mask_id=4, vocab_size=6, rng=rng)[1] == -100).all() for _ in range(2000)])
# promised: nothing selected in 0.85 ** 4 = 52 % of the calls; comes out: in 0 %
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    special = set(int(s) for s in special_ids) | {mask_id}
    words = np.array([w for w in range(vocab_size) if w not in special], dtype=ids.dtype)
    ordinary = np.isin(ids, words)
    selected = ordinary & (rng.random(ids.shape) < probability)
    if probability > 0 and ordinary.any() and not selected.any():
        n, t = np.nonzero(ordinary)
        k = rng.integers(len(n))
        selected[n[k], t[k]] = True
    fate = rng.random(ids.shape)
    inputs = ids.copy()
    inputs[selected & (fate < 0.8)] = mask_id
    exchanged = selected & (fate >= 0.8) & (fate < 0.9)
    if exchanged.any():
        inputs[exchanged] = rng.choice(words, size=exchanged.sum())
    labels = np.full_like(ids, -100)
    labels[selected] = ids[selected]
    return inputs, labels
