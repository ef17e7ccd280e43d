# mask_tokens: [a fixed share of each sentence]
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    banned = {int(mask_id), *(int(s) for s in special_ids)}
    words = [w for w in range(vocab_size) if w not in banned]
    inputs = np.array(ids)
    labels = np.full(ids.shape, -100, dtype=ids.dtype)
    for n, sentence in enumerate(ids.tolist()):
        candidates = [t for t, word in enumerate(sentence) if word not in banned]
        count = round(probability * len(candidates))
        for t in rng.permutation(candidates)[:count].astype(int):
            labels[n, t] = sentence[t]
            dice = rng.random()
            if dice < 0.8:
                inputs[n, t] = mask_id
            elif dice < 0.9:
                inputs[n, t] = words[rng.integers(len(words))]
    return inputs, labels
