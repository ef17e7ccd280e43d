"""Draws the figures of the handout into ``assignments/a6_attention/figures``.

    PYTHONPATH=. python solutions/a6_attention/figures.py

Each function makes one figure, from the reference modules and what ``provided.py`` draws.
"""

from __future__ import annotations

import attention as reference
import numpy as np
import torch
from attention_torch import RecallModel, SenseModel
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from provided import FRUIT, NOUN, TECHNOLOGY, VOCABULARY, draw_lists, draw_sentences, hide_nouns, word_ids
from torch import nn
from torch.nn import functional as F

from solutions.drawing import BLUE, GREEN, ORANGE, PURPLE, SIGNED, VERMILION, bare, draw_all


def retrieval() -> Figure:
    """A query among five keys, and who answers at four temperatures."""
    degrees = np.array([10, 50, 95, 170, 250])
    angles = np.deg2rad(degrees)
    keys = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    turn = np.deg2rad(64)
    query = np.array([np.cos(turn), np.sin(turn)])
    colours = BLUE, VERMILION, GREEN, PURPLE, ORANGE

    figure = plt.figure(figsize=(7.5, 2.9))
    left, right = figure.subfigures(1, 2, width_ratios=[1, 2.3])
    plane = left.subplots()
    for number, (key, colour) in enumerate(zip(keys, colours, strict=True), start=1):
        plane.annotate("", key, (0, 0), arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.8})
        plane.text(*(1.17 * key), f"$k_{number}$", ha="center", va="center", color=colour)
    plane.annotate("", 0.97 * query, (0, 0), arrowprops={"arrowstyle": "->", "color": "black", "linewidth": 3})
    plane.text(*(1.17 * query), "$q$", ha="center", va="center", fontweight="bold")
    plane.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal", xticks=[], yticks=[])
    plane.set_title("one query, five keys", fontsize=9)
    plane.spines[:].set_visible(False)

    names = [f"$k_{number}$" for number in range(1, 6)]
    panels = right.subplots(1, 4, sharey=True)
    for axes, temperature in zip(panels, (0.02, 0.2, 1, 10), strict=True):
        _, weights = reference.retrieve(query, keys, np.eye(5), temperature=temperature)
        axes.bar(names, weights, color=colours)
        for place, weight in enumerate(weights):
            axes.text(place, weight + 0.02, f"{weight:.2f}".lstrip("0"), ha="center", fontsize=8)
        axes.set_title(f"temperature {temperature:g}", fontsize=9)
        axes.grid(axis="x", visible=False)
        axes.set_ylim(0, 1.12)
    panels[0].set_ylabel("weight")
    return figure


def attention() -> Figure:
    """One attention with all its numbers: two queries, four keys and values, a causal mask."""
    q = np.array([[1.0, 2.0], [2.0, -1.0]])
    k = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    v = np.array([[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0], [4.0, 4.0, 4.0]])
    mask = reference.causal_mask(2, 4)
    scores = reference.attention_scores(q, k)
    out, weights = reference.scaled_dot_product_attention(q, k, v, mask)

    figure, panels = plt.subplots(1, 6, figsize=(7.5, 1.75), width_ratios=[2, 4, 4, 4, 3, 3])
    parts = (
        (q, "$q$", 2.5, None, 0),
        (k.T, "$k^⊤$", 2.5, None, 0),
        (scores, "scores, $qk^⊤/\\sqrt{2}$", 3.5, mask, 2),
        (weights, "weights", 1.2, mask, 2),
        (v, "$v$", 6, None, 0),
        (out, "out = weights · $v$", 6, None, 2),
    )
    for axes, (matrix, title, largest, kept, digits) in zip(panels, parts, strict=True):
        _table(axes, matrix, title, largest, kept, digits)
    return figure


def _table(axes: Axes, matrix: np.ndarray, title: str, largest: float, kept: np.ndarray | None, digits: int) -> None:
    """A matrix as its numbers, with as many digits, on colours; cells that are not kept are hatched."""
    shown = matrix if kept is None else np.where(kept, matrix, 0)
    axes.imshow(shown, cmap=SIGNED, vmin=-largest, vmax=largest)
    for (row, column), value in np.ndenumerate(matrix):
        if kept is not None and not kept[row, column]:
            place = (column - 0.5, row - 0.5)
            axes.add_patch(Rectangle(place, 1, 1, facecolor="white", edgecolor="0.6", hatch="////", linewidth=0))
            continue
        text = f"{value:.{digits}f}".replace("-", "−")
        colour = "white" if abs(value) > 0.75 * largest else "black"
        axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
    bare(axes, title)
    axes.set_xticks(np.arange(0.5, matrix.shape[1] - 1), minor=True)
    axes.set_yticks(np.arange(0.5, matrix.shape[0] - 1), minor=True)
    axes.grid(visible=True, which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)


def masks() -> Figure:
    """Which query may attend to which key: five masks."""
    lengths, S = np.array([5, 3]), 5
    causal, padding = reference.causal_mask(S), reference.padding_mask(lengths, S)
    top_left = np.tri(2, S, dtype=bool)
    panels = (
        (causal, "causal_mask(5)"),
        (reference.causal_mask(2, S), "causal_mask(2, 5)"),
        (top_left, "not this: top left"),
        (np.broadcast_to(padding[1, 0], (S, S)), "padding, length 3"),
        ((causal & padding)[1, 0], "both, joined by &"),
    )
    figure, grid = plt.subplots(1, 5, figsize=(7.5, 2.05))
    for axes, (mask, title) in zip(grid, panels, strict=True):
        wrong = title.startswith("not")
        colours = ListedColormap(["white", VERMILION if wrong else BLUE])
        axes.imshow(mask, cmap=colours, vmin=0, vmax=1, alpha=0.75, extent=(0, S, len(mask), 0))
        for line in range(S + 1):
            axes.plot([line, line], [0, len(mask)], color="0.6", linewidth=0.6)
        for line in range(len(mask) + 1):
            axes.plot([0, S], [line, line], color="0.6", linewidth=0.6)
        for row, column in np.ndindex(mask.shape):
            colour = "white" if mask[row, column] else "0.5"
            axes.text(column + 0.5, row + 0.55, int(mask[row, column]), ha="center", va="center", color=colour)
        bare(axes, title)
        axes.title.set_fontsize(8.5)
        axes.set(xlim=(-0.05, S + 0.05), ylim=(5.05, -0.05), aspect="equal")
        axes.set_xlabel("key" if len(mask) == S else "", fontsize=9)
    grid[0].set_ylabel("query", fontsize=9)
    return figure


def scaling() -> Figure:
    """Sixty-four weights in order of size, for random vectors of more and more features, with and without 1/√d."""
    rng = np.random.default_rng(0)
    figure, panels = plt.subplots(1, 2, figsize=(7.5, 2.9), sharey=True)
    for axes, title in zip(panels, ("scores $q·k$", "scores $q·k/\\sqrt{d}$"), strict=True):
        for d, style in ((4, "C0-"), (64, "C1--"), (1024, "C2-.")):
            q, k = rng.standard_normal((500, 1, d)), rng.standard_normal((500, 64, d))
            scores = reference.attention_scores(q, k, scale=1.0 if axes is panels[0] else None)
            weights = np.sort(reference.masked_softmax(scores)[:, 0], axis=1)[:, ::-1].mean(axis=0)
            axes.semilogy(np.arange(1, 65), weights, style, label=f"d = {d}: largest {weights[0]:.2f}")
        axes.axhline(1 / 64, color="0.4", linewidth=0.9, linestyle=":")
        axes.text(64, 1.15 / 64, "all equal", ha="right", fontsize=9)
        axes.set(title=title, xlabel="rank among 64 keys", ylim=(1e-9, 1e4), yticks=[1e-8, 1e-6, 1e-4, 1e-2, 1])
        axes.legend(loc="upper right")
    panels[0].set_ylabel("weight, mean of 500 queries")
    return figure


def heads() -> Figure:
    """Splitting 6 features of 3 tokens between 2 heads; what a reshape alone makes of them."""
    T, D, count = 3, 6, 2
    x = np.arange(T * D).reshape(1, T, D)
    right = reference.split_heads(x, count)[0]
    wrong = x.reshape(count, T, D // count)
    figure, panels = plt.subplots(1, 5, figsize=(7.5, 1.9), width_ratios=[6, 3, 3, 3, 3])
    titles = "x: three tokens, six features", "head 0", "head 1", "reshape only:\n“head 0”", "“head 1”"
    for axes, array, title in zip(panels, (x[0], *right, *wrong), titles, strict=True):
        for (row, column), number in np.ndenumerate(array):
            token, feature = divmod(int(number), D)
            colour = (BLUE, VERMILION, GREEN)[token]
            strength = 0.65 if feature < D // count else 0.25
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=(colour, strength), edgecolor="white", linewidth=2))
            axes.text(column + 0.5, row + 0.55, f"{token},{feature}", ha="center", va="center", fontsize=9)
        bare(axes, title)
        axes.set(xlim=(0, array.shape[1]), ylim=(T, 0), aspect="equal")
    panels[0].set_ylabel("token", fontsize=9)
    panels[0].set_xlabel("feature", fontsize=9)
    return figure


def positions() -> Figure:
    """Clocks of ever slower hands, and their dot product, which depends on the distance only."""
    T, D = 64, 8
    table = reference.sinusoidal_positions(T, D, base=100.0)
    figure = plt.figure(figsize=(7.5, 3.2))
    left, right = figure.subfigures(1, 2, width_ratios=[1.3, 1])
    rows = left.subplots(D // 2, 1, sharex=True)
    for i, axes in enumerate(rows):
        axes.plot(table[:, 2 * i], color=BLUE, label="sin (feature 2i)")
        axes.plot(table[:, 2 * i + 1], "--", color=ORANGE, label="cos (2i + 1)")
        axes.set(ylim=(-1.2, 1.2), yticks=[-1, 1], xlim=(0, T - 1))
        axes.set_ylabel(f"i = {i}", rotation=0, ha="right", va="center")
    rows[-1].set_xlabel("position t")
    rows[0].legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 0.95))
    curve = right.subplots()
    products = table @ table.T
    for start, style in ((0, "-"), (10, "--"), (30, ":")):
        curve.plot(np.arange(33), products[start, start : start + 33], style, label=f"from position {start}")
    curve.set(title="dot product of two positions", xlabel="distance", ylabel="dot product")
    curve.legend()
    return figure


def cache() -> Figure:
    """Which scores are computed for the fifth token: all of them again, or one row."""
    T = 5
    seen = reference.causal_mask(T)
    figure, panels = plt.subplots(1, 3, figsize=(7.5, 2.5), width_ratios=[1, 1, 1.25])
    last = np.zeros((T, T), dtype=bool)
    last[-1] = True
    for axes, computed, title in ((panels[0], seen, "computed again"), (panels[1], last & seen, "with a cache")):
        for row, column in np.argwhere(seen):
            colour = VERMILION if computed[row, column] else "0.85"
            axes.add_patch(Rectangle((column, row), 0.92, 0.92, facecolor=colour, alpha=0.8))
        bare(axes, f"{title}: {computed.sum()} scores\nfor the fifth token")
        axes.set(xlim=(0, T), ylim=(T, 0), aspect="equal")
        axes.set_xlabel("key", fontsize=9)
        axes.set_ylabel("query", fontsize=9)
    lengths = np.arange(1, 1025)
    again, once = np.cumsum(lengths * (lengths + 1) / 2), np.cumsum(lengths)
    panels[2].loglog(lengths, again, "--", color=VERMILION, label="computed again")
    panels[2].loglog(lengths, once, color=BLUE, label="with a cache")
    panels[2].set(xlabel="tokens generated", ylabel="scores in all")
    panels[2].legend(loc="upper left")
    return figure


def _train_senses() -> tuple[SenseModel, SenseModel]:
    """The model before and after the training that the grader does."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    sentences, model = draw_sentences(1000, rng=rng), SenseModel(len(VOCABULARY), 32)
    before = SenseModel(len(VOCABULARY), 32)
    before.load_state_dict(model.state_dict())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(300):
        ids, nouns = hide_nouns(sentences[rng.integers(1000, size=64)], rng=rng)
        loss = F.cross_entropy(model(torch.from_numpy(ids))[:, NOUN], torch.from_numpy(nouns))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return before, model


def _cosine(u: np.ndarray, v: np.ndarray) -> float:
    return float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))


def moving_apple() -> Figure:
    """“apple” after eight verbs, before and after training: its vector turns to where its context stands."""
    figure, panels = plt.subplots(1, 2, figsize=(7.5, 4.3), sharex=True, sharey=True)
    models = _train_senses()
    with torch.no_grad():
        for axes, model, title in zip(panels, models, ("untrained", "after 300 steps"), strict=True):
            table = model.embedding.weight.double().numpy()
            senses = [table[word_ids(" ".join(kind["nouns"]))].mean(axis=0) for kind in (FRUIT, TECHNOLOGY)]
            start = [_cosine(table[VOCABULARY.index("apple")], sense) for sense in senses]
            gains = []
            for kind, colour, marker in ((FRUIT, GREEN, "o"), (TECHNOLOGY, PURPLE, "s")):
                nouns = np.array([[_cosine(table[word_ids(noun)[0]], s) for s in senses] for noun in kind["nouns"]])
                label = ", ".join(kind["nouns"])
                axes.plot(*nouns.T, marker, color=colour, fillstyle="none", markersize=7, label=label)
                for verb in kind["verbs"]:
                    ids = torch.from_numpy(word_ids(f"we {verb} the red apple today"))[None]
                    inside = model.encode(ids)[0, NOUN].double().numpy()
                    end = [_cosine(inside, sense) for sense in senses]
                    arrow = {"arrowstyle": "->", "color": colour, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
                    axes.annotate("", end, start, arrowprops=arrow)
                    gains.append(reference.sense_shift(table[VOCABULARY.index("apple")], inside, *senses)[1])
            axes.plot(*start, "ko", markersize=6)
            axes.annotate("apple", start, (7, 5), textcoords="offset points")
            axes.plot([0.05, 1.1], [0.05, 1.1], color="0.8", linestyle=":", zorder=0)
            eating, using = np.mean(gains[:4]), np.mean(gains[4:])
            axes.set(title=f"{title}: gain {eating:+.2f} and {using:+.2f}".replace("-", "−"))
            axes.set(xlabel="cosine with fruit", xlim=(-0.35, 1.15), ylim=(-0.35, 1.15), aspect="equal")
            axes.legend(loc="lower left")
    panels[0].set_ylabel("cosine with devices")
    return figure


class _Summary(nn.Module):
    """An LSTM that reads all pairs and then the key asked for."""

    def __init__(self, num_keys: int, num_values: int, dim: int) -> None:
        super().__init__()
        self.key, self.value = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.lstm, self.readout = nn.LSTM(dim, 2 * dim, batch_first=True), nn.Linear(2 * dim, num_values)

    def forward(self, keys: torch.Tensor, values: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
        pairs = torch.cat([self.key(keys) + self.value(values), self.key(query)[:, None]], dim=1)
        logits: torch.Tensor = self.readout(self.lstm(pairs)[0][:, -1])
        return logits


def recall() -> Figure:
    """Answers that are right against the length of the list: attention, and an LSTM trained for as many steps."""
    lengths = [16, 64, 256, 1024, 2048]
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    kinds = (
        ("attention", RecallModel, BLUE, "o-", (0, 1, 2), lengths),
        ("LSTM", _Summary, VERMILION, "s--", (0,), lengths[:4]),
    )
    for name, kind, colour, style, seeds, tested in kinds:
        for seed in seeds:
            torch.manual_seed(seed)
            rng, model = np.random.default_rng(seed), kind(2048, 8, 48)
            optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
            for _ in range(300):
                keys, values, query, answer = map(torch.from_numpy, draw_lists(64, 64, 2048, 8, rng=rng))
                loss = F.cross_entropy(model(keys, values, query), answer)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            rates = []
            with torch.no_grad():
                for length in tested:
                    keys, values, query, answer = map(torch.from_numpy, draw_lists(300, length, 2048, 8, rng=rng))
                    rates.append((model(keys, values, query).argmax(dim=1) == answer).double().mean().item())
            count = sum(parameter.numel() for parameter in model.parameters())
            label = f"{name}, {count:,} parameters".replace(",", " ").replace("  ", ", ")
            axes.plot(tested, rates, style, color=colour, label=None if seed else label)
    axes.axhline(1 / 8, color="0.4", linestyle=":", linewidth=0.9)
    axes.text(2048, 0.14, "guessing", ha="right", fontsize=9)
    axes.axvline(64, color="0.8", zorder=0)
    axes.text(67, 0.62, "length in training", fontsize=9, color="0.35")
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, lengths)
    axes.set(title="lists in which the value was found", xlabel="pairs in the list", ylabel="fraction", ylim=(0, 1.05))
    axes.legend(loc="center right", bbox_to_anchor=(1, 0.42))
    return figure


FIGURES = (
    retrieval,
    attention,
    masks,
    scaling,
    heads,
    positions,
    cache,
    moving_apple,
    recall,
)


if __name__ == "__main__":
    draw_all("a6_attention", FIGURES)
