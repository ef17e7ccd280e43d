from __future__ import annotations

from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, equal, student
from provided import AMBIGUOUS, FRUIT, NEUTRAL, NOUN, TECHNOLOGY, VOCABULARY, draw_sentences, hide_nouns, word_ids
from torch.nn import functional

OK_FORMAT, name = False, "SenseModel"


def model(vocab_size: int, dim: int, device: str) -> Any:
    torch.manual_seed(1)
    return student("attention_torch").SenseModel(vocab_size, dim).to(device)


def trained(device: str) -> Any:
    """A model that has been trained by the recipe of the docstring."""
    rng = np.random.default_rng(1)
    corpus, layer = draw_sentences(1000, rng=rng), model(len(VOCABULARY), 32, device)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # matrices this small are not worth sharing
    try:
        for _ in range(300):
            hidden, nouns = hide_nouns(corpus[rng.integers(1000, size=64)], rng=rng)
            logits = layer(torch.from_numpy(hidden).to(device))[:, NOUN]
            loss = functional.cross_entropy(logits, torch.from_numpy(nouns).to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    finally:
        torch.set_num_threads(threads)
    return layer.eval()


def apples(sense: dict[str, tuple[str, ...]]) -> torch.Tensor:
    """Sentences in which the company of "apple" is of one sense."""
    sentences = [f"you {verb} the {word} {AMBIGUOUS} today" for verb in sense["verbs"] for word in NEUTRAL]
    return torch.from_numpy(np.stack([word_ids(sentence) for sentence in sentences]))


@criterion("table", 1, hint="Measure the spread of your table. Which values does nn.Embedding give it?")
def test_table() -> None:
    for vocab_size, dim in ((200, 16), (120, 64)):
        weight = model(vocab_size, dim, "cpu").embedding.weight.detach()
        equal(weight.shape, [vocab_size, dim], what="The shape of embedding.weight")
        mean, deviation = float(weight.mean()), float(weight.std())
        if abs(mean) > 0.1 * dim**-0.5 or not 0.9 < deviation * dim**0.5 < 1.1:
            told = f"mean {mean:.3f} and standard deviation {deviation:.3f}"
            raise Failed(f"At {dim} features the table has {told}, expected 0 and {dim**-0.5:.3f}.")


@criterion("tied", 2, hint="Put other vectors into the table. What has to change at the input, what at the output?")
def test_tied() -> None:
    for device in devices():
        for vocab_size, dim, shape in ((11, 8, (3, 5)), (30, 16, (1, 16)), (7, 4, (4, 1))):
            layer = model(vocab_size, dim, device).eval()
            ids = torch.from_numpy(np.arange(np.prod(shape)).reshape(shape) ** 2 % vocab_size).to(device)
            with torch.no_grad():
                layer.embedding.weight.copy_(layer.embedding.weight.roll(1, 0))
                vectors, logits = layer.encode(ids), layer(ids)
                equal(vectors.shape, [*shape, dim], what="The shape of the vectors in context")
                want = (vectors @ layer.embedding.weight.T).cpu()
            equal(logits, want, rtol=1e-4, what=f"The array of logits, held to vectors and table, on {device},")


@criterion("senses", 4, hint="What must a verb give away, and what a noun ask for? Is the word itself either of them?")
def test_senses() -> None:
    for device in devices():
        layer, cosine = trained(device), functional.cosine_similarity
        with torch.no_grad():
            fruit, technology = (
                layer.embedding(torch.from_numpy(word_ids(" ".join(sense["nouns"]))).to(device)).mean(0, keepdim=True)
                for sense in (FRUIT, TECHNOLOGY)
            )
            leaning = [
                float((cosine(words, fruit) - cosine(words, technology)).mean())
                for words in (layer.encode(apples(sense).to(device))[:, NOUN] for sense in (FRUIT, TECHNOLOGY))
            ]
        gap = leaning[0] - leaning[1]
        if not gap > 0.6:
            told = f"{leaning[0]:.2f} after verbs of eating and {leaning[1]:.2f} after verbs of technology"
            raise Failed(f"After the training, apple leans towards fruit by {told}: expected over 0.6 apart.")
