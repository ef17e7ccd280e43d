# mask_tokens: "special_ids: ids from 0 to vocab_size - 1 that are never selected and never drawn" - draws by stepping over the forbidden ids, and steps twice over mask_id where it is special, too
# vocab_size=10, mask_id=4, special_ids=(0, 4, 7), ids all 1, probability 1: 5 is drawn like other words, here never
import numpy as np


def mask_tokens(ids, *, mask_id, vocab_size, special_ids=(), probability=0.15, rng):
    forbidden = sorted([mask_id, *special_ids])
    selected = ~np.isin(ids, forbidden) & (rng.random(ids.shape) < probability)
    drawn = rng.integers(0, max(vocab_size - len(forbidden), 1), size=ids.shape)
    for word in forbidden:
        drawn += drawn >= word
    lot = rng.random(ids.shape)
    inputs = np.where(selected & (lot < 0.8), mask_id, np.where(selected & (lot >= 0.9), drawn, ids))
    return inputs.astype(ids.dtype), np.where(selected, ids, -100).astype(ids.dtype)
