from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, student
from provided import draw_lists
from torch import Tensor
from torch.nn.functional import cross_entropy

OK_FORMAT, name = False, "RecallModel"


def lists(count: int, length: int, rng: np.random.Generator, device: str) -> list[Tensor]:
    """Keys, values, query, and the answer."""
    return [torch.from_numpy(a).to(device) for a in draw_lists(count, length, 2048, 8, rng=rng)]


@cache
def trained(steps: int, device: str) -> Any:
    """A model after so many steps of the recipe in the docstring."""
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    model = student("attention_torch").RecallModel(2048, 8, 48).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # matrices this small are not worth sharing
    try:
        for _ in range(steps):
            *question, answer = lists(64, 64, rng, device)
            loss = cross_entropy(model(*question), answer)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    finally:
        torch.set_num_threads(threads)
    return model.eval()


def compare(got: Tensor, want: Tensor, sentence: str) -> None:
    if got.shape != want.shape:
        raise Failed(f"The logits have shape {tuple(got.shape)}, expected {tuple(want.shape)}.")
    if want.std(dim=0).max() < 1e-3:
        raise Failed("The logits of different lists are all the same.")
    if not (got - want).abs().max() <= 1e-3 * want.abs().max():
        raise Failed(sentence)


@criterion("lists", 2, hint="Along which axis do the weights sum to 1? Lists of one batch are strangers to each other.")
def test_lists() -> None:
    for device in devices():
        model = trained(20, device)
        keys, values, query, _ = lists(12, 40, np.random.default_rng(2), device)
        with torch.no_grad():
            alone = torch.cat([model(keys[n : n + 1], values[n : n + 1], query[n : n + 1]) for n in range(12)])
            together = model(keys, values, query)
        compare(alone, together, f"A list has other logits alone than among others, on {device}.")
        if together.shape != (12, 8):
            raise Failed(f"The logits of 12 lists have shape {tuple(together.shape)}, expected (12, 8).")


@criterion("order", 2, hint="Exchange two pairs in your mind: does anything in the question change?")
def test_order() -> None:
    for device in devices():
        model = trained(20, device)
        keys, values, query, _ = lists(12, 40, np.random.default_rng(3), device)
        with torch.no_grad():
            want = model(keys, values, query)
            for order in (np.arange(40)[::-1].copy(), np.arange(40) * 7 % 40):
                got = model(keys[:, order], values[:, order], query)
                compare(got, want, f"The logits change with the order of the pairs, on {device}.")


@criterion("recall", 3, hint="When does a key fit a query from the first step on? Look at tables and initial values.")
def test_recall() -> None:
    for device in devices():
        *question, answer = lists(200, 1024, np.random.default_rng(4), device)
        model = trained(300, device)
        with torch.no_grad():
            right = float((model(*question).argmax(dim=1) == answer).double().mean())
        if not right > 0.7:
            raise Failed(f"In lists of 1024 pairs {right:.0%} of the answers are right, expected more than 70%.")
