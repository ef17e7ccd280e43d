from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from checks import Failed, criterion, devices, equal, student
from torch import Tensor

OK_FORMAT, name = False, "MaskedWordModel"

HIDDEN = torch.tensor([[3, 6, 1, 8], [5, 2, 7, 4]])[:, [0, 0, 1, 1, 2, 2, 3, 3]]


def sentences(count: int, seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Sentences with one hidden word (0), their lengths, the places of the hidden words, and these words.

    The first word is 9 or 10, the last one of 11 to 18; HIDDEN says which word the two hide. The other words, 1 to 8
    and 19, mean nothing, and the padding holds any ids.
    """
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.randint(3, 10, (count,), generator=draw)
    first, last = torch.randint(2, (count,), generator=draw), torch.randint(8, (count,), generator=draw)
    ids = torch.randint(1, 10, (count, 10), generator=draw)
    ids[ids == 9] = 19
    padding = torch.arange(10) >= lengths[:, None]
    ids[padding] = torch.randint(20, (int(padding.sum()),), generator=draw)
    places = 1 + (torch.rand(count, generator=draw) * (lengths - 2)).long()
    rows = torch.arange(count)
    ids[:, 0], ids[rows, lengths - 1], ids[rows, places] = 9 + first, 11 + last, 0
    return ids, lengths, places, HIDDEN[first, last]


def model(device: str) -> Any:
    torch.manual_seed(1)
    return student("lstm_torch").MaskedWordModel(20, 16, 32).to(device)


def found(device: str) -> float:
    """The share of hidden words that the model finds after training by the recipe of the docstring."""
    module, rows = model(device).train(), torch.arange(64)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.02)
    for step in range(75):
        ids, lengths, places, words = sentences(64, 1000 + step)
        logits = module(ids.to(device), lengths)[rows, places]
        optimizer.zero_grad()
        F.cross_entropy(logits, words.to(device)).backward()
        optimizer.step()
    ids, lengths, places, words = sentences(500, 4)
    with torch.no_grad():
        logits = module.eval()(ids.to(device), lengths)[torch.arange(500), places]
    return (logits.argmax(dim=1).cpu() == words).double().mean().item()


@criterion(
    "shape",
    1,
    hint="A score for each word of the vocabulary at every column of ids, though every sentence may be shorter.",
)
def test_shape() -> None:
    for device in devices():
        ids = sentences(3, 1)[0].to(device)
        for lengths in ([10, 3, 5], [4, 1, 2]):
            got = model(device)(ids, torch.tensor(lengths))
            equal(tuple(got.shape), (3, 10, 20), what=f"The shape for the lengths {lengths} on {device}")


@criterion(
    "padding",
    2,
    hint="Compare a sentence in company with the same one alone: do rows keep their order? Who reads padding?",
)
def test_padding() -> None:
    for device in devices():
        module = model(device).eval()
        with torch.no_grad():
            for parameter in module.parameters():  # layers that begin at zero would see no padding
                parameter.add_(0.2 * torch.randn_like(parameter))
        ids, lengths, _, _ = sentences(4, 2)
        together = module(ids.to(device), lengths)
        other = ids.clone()
        other[torch.arange(10) >= lengths[:, None]] = 19
        longer = module(torch.cat([other, other], dim=1).to(device), lengths)
        if not together[0, 0].detach().ne(together[1, int(lengths[1]) - 1].detach()).any():
            raise Failed("All words get the same scores.")
        for n, length in enumerate(lengths.tolist()):
            alone = module(ids[n : n + 1, :length].to(device), lengths[n : n + 1])[0].cpu()
            for got, company in ((together, "in a batch"), (longer, "with longer padding")):
                what = f"The array of scores of sentence {n} {company} on {device}"
                equal(got[n, :length], alone, rtol=1e-4, what=what)


@criterion(
    "accuracy", 4, hint="Does the score of a place see both ends of its own sentence? Are the scores bare logits?"
)
def test_accuracy() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # steps as small as these lose more time than they win with several
    try:
        for device in devices():
            share = found(device)
            if not share >= 0.95:
                raise Failed(f"Trained on {device}, it finds {share:.1%} of the hidden words, expected 95% or more.")
    finally:
        torch.set_num_threads(threads)
