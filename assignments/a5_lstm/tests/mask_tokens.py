from __future__ import annotations

from typing import Any

import numpy as np
from checks import Failed, criterion, equal, has_dtype, student, unpack

OK_FORMAT, name = False, "mask_tokens"

MASK, SPECIAL = 4, (0, 7)  # so that 1, 2, 3, 5, 6, 8, 9 are ordinary words
SETTINGS: dict[str, Any] = {"mask_id": MASK, "vocab_size": 10, "special_ids": SPECIAL}


def text(seed: int = 1) -> np.ndarray:
    """Sentences that begin with 0, end with 7, and hold ordinary words."""
    ids = np.random.default_rng(seed).choice([1, 2, 3, 5, 6, 8, 9], size=(200, 50))
    ids[:, 0], ids[:, -1] = SPECIAL
    return ids


def masked(ids: np.ndarray, seed: int = 2, **settings: Any) -> tuple[np.ndarray, np.ndarray]:
    result = student("lstm").mask_tokens(ids, rng=np.random.default_rng(seed), **(SETTINGS | settings))
    inputs, labels = unpack(result, "inputs", "labels")
    for what, array in (("inputs", inputs), ("labels", labels)):
        has_dtype(array, ids.dtype, what=what)
        equal(array.shape, ids.shape, what=f"The shape of {what}")
    return inputs, labels


def share(what: str, got: float, want: float, tolerance: float) -> None:
    if abs(got - want) > tolerance:
        raise Failed(f"{what}: {got:.1%}, expected about {want:.1%}.")


@criterion(
    "labels",
    2,
    hint="A label is what stood there before. Which words can be chosen, if any? Does each one decide by itself?",
)
def test_labels() -> None:
    ids = text()
    for settings, probability in (({}, 0.15), ({"probability": 0.5}, 0.5)):
        labels = masked(ids, **settings)[1]
        chosen = labels != -100
        equal(labels[chosen], ids[chosen], what="The list of labels at the chosen positions")
        if np.isin(ids[chosen], SPECIAL).any():
            raise Failed("Special words were chosen.")
        share("Selected words", chosen[:, 1:-1].mean(), probability, 0.03)
        if np.ptp(chosen.sum(axis=1)) < 5 or np.ptp(chosen[:, 1:-1].sum(axis=0)) < 5:
            raise Failed("Each sentence, or each place, has about the same number of chosen words: decide one by one.")
    labels = masked(ids, probability=1.0)[1]
    equal(labels, np.where(np.isin(ids, SPECIAL), -100, ids), what="The array of labels with probability 1")
    inputs, labels = masked(ids, probability=0.0)
    equal(labels, np.full(ids.shape, -100), what="The array of labels with probability 0")
    equal(inputs, ids, what="The array of inputs with probability 0")
    masked(ids.astype(np.int16))
    ids[:, 3] = MASK
    labels = masked(ids, probability=1.0)[1]
    equal(
        labels, np.where(np.isin(ids, [MASK, *SPECIAL]), -100, ids), what="The array of labels where ids hold the mask"
    )
    inputs, labels = masked(ids, special_ids=list(range(10)), probability=1.0)
    equal(labels, np.full(ids.shape, -100), what="The array of labels where all ids are special")
    equal(inputs, ids, what="The array of inputs where all ids are special")


@criterion(
    "inputs",
    3,
    hint="Of a hundred chosen words, how many are hidden, exchanged, kept? For which words, each with its own draw?",
)
def test_inputs() -> None:
    ids = text()
    inputs, labels = masked(ids, probability=0.6)
    equal(ids, text(), what="ids, after the call,")
    chosen = labels != -100
    equal(inputs[~chosen], ids[~chosen], what="The list of inputs that were not chosen")
    before, after = ids[chosen], inputs[chosen]
    hidden, same = after == MASK, after == before
    other = after[~hidden & ~same]
    if np.isin(other, [MASK, *SPECIAL]).any():
        raise Failed("Some words were exchanged for special ones.")
    share("Selected words that are hidden", hidden.mean(), 0.8, 0.03)
    # A random word is the old one in one case of seven.
    share("Selected words that are exchanged for another one", len(other) / len(after), 0.1 * 6 / 7, 0.02)
    share("Selected words that stay or are drawn again", same.mean(), 0.1 + 0.1 / 7, 0.02)
    for word in (1, 2, 3, 5, 6, 8, 9):
        share(f"Exchanged words that became {word}", (other == word).mean(), 1 / 7, 0.08)


@criterion("generator", 1, hint="All chance comes from rng, and from nothing else.")
def test_generator() -> None:
    ids = text()
    (first, labels), (again, same), (_, other) = (masked(ids, seed) for seed in (5, 5, 6))
    equal(again, first, what="The array of inputs for the same state of rng")
    equal(same, labels, what="The array of labels for the same state of rng")
    if np.array_equal(labels, other):
        raise Failed("Another state of rng selects the same words.")
