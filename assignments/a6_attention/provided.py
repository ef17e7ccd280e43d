"""What assignment 6 gives you: the sentences and the lists that the two models learn from. NumPy only.

Both are drawn at random by the generator that you pass, so that there is no end of them, and the same seed draws the
same ones again.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Int64

MASK, AMBIGUOUS = "<mask>", "apple"
PEOPLE = ("we", "you", "they", "people")
FRUIT = {
    "verbs": ("eat", "peel", "bake", "slice"),
    "adjectives": ("ripe", "juicy", "sour"),
    "nouns": ("pear", "plum", "banana"),
}
TECHNOLOGY = {
    "verbs": ("unlock", "charge", "reboot", "update"),
    "adjectives": ("slow", "broken", "expensive"),
    "nouns": ("phone", "laptop", "tablet"),
}
SENSES = (FRUIT, TECHNOLOGY)
NEUTRAL = ("red", "small", "other")
TIMES = ("today", "now", "again", "later")

VOCABULARY = (
    MASK,
    AMBIGUOUS,
    "the",
    *PEOPLE,
    *NEUTRAL,
    *TIMES,
    *(word for sense in SENSES for words in sense.values() for word in words),
)
NOUN = 4  # where the noun stands in a sentence


def word_ids(words: str) -> Int64[np.ndarray, " T"]:
    """The numbers of words that are separated by spaces: their places in ``VOCABULARY``."""
    return np.array([VOCABULARY.index(word) for word in words.split()])


def draw_sentences(count: int, *, rng: np.random.Generator) -> Int64[np.ndarray, "count 6"]:
    """Sentences about fruit or technology, about half of each, as word numbers.

    "we slice the juicy plum today": person, verb, "the", adjective, noun, time. Verb and noun belong to the sense of
    the sentence; so does every second adjective, and the others are neutral; every fourth noun is "apple", in either
    sense.
    """

    def sentence() -> str:
        sense = SENSES[rng.integers(2)]
        adjectives = NEUTRAL if rng.integers(2) else sense["adjectives"]
        choices = (PEOPLE, sense["verbs"], ("the",), adjectives, (*sense["nouns"], AMBIGUOUS), TIMES)
        return " ".join(words[rng.integers(len(words))] for words in choices)

    return np.stack([word_ids(sentence()) for _ in range(count)])


def hide_nouns(
    sentences: Int64[np.ndarray, "N 6"], *, rng: np.random.Generator
) -> tuple[Int64[np.ndarray, "N 6"], Int64[np.ndarray, " N"]]:
    """The sentences with their nouns replaced, and the nouns.

    In half of them the mask stands in the noun's place, in the others any word of the vocabulary: so nobody can rely on
    the word that stands there, and must look at its neighbours.
    """
    hidden, masked = sentences.copy(), rng.random(len(sentences)) < 0.5
    substitutes = rng.integers(len(VOCABULARY), size=len(sentences))
    hidden[:, NOUN] = np.where(masked, VOCABULARY.index(MASK), substitutes)
    return hidden, sentences[:, NOUN]


def draw_lists(
    count: int, length: int, num_keys: int, num_values: int, *, rng: np.random.Generator
) -> tuple[Int64[np.ndarray, "N S"], Int64[np.ndarray, "N S"], Int64[np.ndarray, " N"], Int64[np.ndarray, " N"]]:
    """Lists of pairs of a key and a value, and for each a question: (keys, values, query, answer).

    No key stands twice in a list; values repeat. The query is one of the keys, and the answer is its value. The pairs
    are drawn anew for every list, so there is nothing to be learnt by heart.
    """
    circle, starts = rng.permutation(num_keys), rng.integers(num_keys, size=(count, 1))
    keys = circle[(starts + np.arange(length)) % num_keys]
    values = rng.integers(num_values, size=(count, length))
    lists, place = np.arange(count), rng.integers(length, size=count)
    return keys, values, keys[lists, place], values[lists, place]
