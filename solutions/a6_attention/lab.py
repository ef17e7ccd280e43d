# %% [markdown]
# # Lab 6 · Self-attention as retrieval
#
# A recurrent network writes a summary and reads from that. Attention keeps everything and looks things up. Here you
# look things up yourself, first with keys that we give, then with weights that your own backward pass has learned.
#
# As in the other labs: a **question**, your **prediction**, code that calls *your* modules, a plot, and what there is
# to notice. Write the prediction down before you run the cell. A wrong one is worth more than none.
#
# - Your functions live in `attention.py` and `attention_torch.py`, not here. Edit and save them, then run a cell again:
#   the change is picked up by itself.
# - An experiment whose exercise is not written yet says so and is skipped. **Run all cells** whenever you like.
# - `grader.check("causal_mask")` runs the visible tests of an exercise, the same as `python -m pytest
#   tests/causal_mask.py`.
# - The lab is not graded. The whole of it computes for about half a minute, and no experiment builds on another, so
#   stop after any of them and go on tomorrow.

# %% [markdown]
# The first line below lets NumPy and PyTorch compute with one thread: everything here is so small that several threads
# would mostly wait for each other.

# %%
# %env OMP_NUM_THREADS=1
# %load_ext autoreload
# %autoreload 2
import time

import attention
import attention_torch
import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as F
from labkit import Grader, experiment, picture, slider
from provided import NOUN, VOCABULARY, draw_lists, draw_sentences, hide_nouns, word_ids
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

plt.style.use("course.mplstyle")
grader = Grader("lab.ipynb")


def heat(axes, weights, title="", highest=1.0):
    """Show weights from 0 (white) to ``highest`` (dark); rows are queries, columns are keys."""
    shown = axes.imshow(weights, cmap="Greys", vmin=0, vmax=highest)
    axes.set(xticks=[], yticks=[], xlabel="key", ylabel="query")
    axes.set_title(title, fontsize=9)
    axes.grid(visible=False)
    return shown


# %% [markdown]
# ---
# ## §1 Retrieval and §2 Softmax
#
# Write `masked_softmax`, `attention_scores` and `retrieve`, and check them.

# %%
grader.check("masked_softmax")

# %%
grader.check("attention_scores")

# %%
grader.check("retrieve")

# %% [markdown]
# ### Experiment 1 · A dictionary that always answers
#
# A harbour master has read the tide nine times in a day, at odd hours. Her book is a dictionary: the keys are times, as
# directions of the hour hand on a dial of 24 hours (vectors of length 1), the values are heights. Python's `dict` has
# no answer for 10:00, because 10:00 is not in it. `retrieve` always answers.
#
# **Question 1a.** She asks for every hour of the day. What does the curve of answers look like when the temperature is
# low, medium, high? (The slider below the figure moves the temperature's exponent of ten.)

# %% [markdown]
# **Your prediction:** *low: …, medium: …, high: … Sketch all three.*

# %%
HOURS = np.array([0.5, 2, 5.5, 7, 9, 13, 15.5, 19, 22])
HEIGHTS = 2 + 1.5 * np.cos(2 * np.pi * (HOURS - 3) / 12.4) + np.random.default_rng(3).normal(0, 0.15, len(HOURS))


def hand(hours):
    """Where the hour hand points on a dial of 24 hours."""
    angle = 2 * np.pi * np.asarray(hours) / 24
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def ask(hours, temperature, keys):
    """The answers, and the weights, for queries at these hours."""
    found = [attention.retrieve(hand(h), keys, HEIGHTS[:, None], temperature=temperature) for h in hours]
    return np.array([value[0] for value, _ in found]), np.array([weights for _, weights in found])


with experiment():
    day = np.linspace(0, 24, 241)
    figure, (left, right) = plt.subplots(1, 2, width_ratios=[1.7, 1])
    for temperature, style in ((0.001, "C2-"), (0.1, "C0-"), (1, "C1--"), (100, "C3:")):
        left.plot(day, ask(day, temperature, hand(HOURS))[0], style, label=f"temperature {temperature:g}")
    left.plot(HOURS, HEIGHTS, "ko", zorder=3, label="the book")
    left.set(xlabel="hour asked for", ylabel="height (m)", xticks=range(0, 25, 4), ylim=(0, 5.4))
    left.legend(ncols=2, loc="upper right")
    hours, width = np.arange(len(HOURS)), 0.4
    for offset, (temperature, colour) in enumerate(((0.1, "C0"), (1, "C1"))):
        weights = ask([10], temperature, hand(HOURS))[1][0]
        right.bar(hours + width * (offset - 0.5), weights, width, color=colour, label=f"temperature {temperature:g}")
    right.set_xticks(hours, [f"{h:g}" for h in HOURS])
    right.set(title="who answers at 10:00?", xlabel="key (hour)", ylabel="weight", ylim=(0, 1.25))
    right.tick_params(axis="x", labelsize=7)
    right.legend(loc="upper right")
    plt.show()

    @slider(low=-3, high=2, step=0.25, start=-3)
    def answer(exponent: float) -> None:
        _, axes = plt.subplots(figsize=(7.5, 2.4))
        axes.plot(day, ask(day, 10**exponent, hand(HOURS))[0], "C0-")
        axes.plot(HOURS, HEIGHTS, "ko")
        axes.axhline(HEIGHTS.mean(), color="0.4", linewidth=0.9, linestyle=":")
        axes.set(title=f"temperature {10**exponent:.3g}", xlabel="hour asked for", ylabel="height (m)")
        axes.set(xticks=range(0, 25, 4), ylim=(0, 4.2))
        plt.show()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot and the slider)</summary>
#
# - Cold, it is a lookup: the nearest entry answers alone, in steps. Hot, everybody answers alike, and you get the mean
#   of the book whatever you ask. In between lies a smooth curve through noisy readings. Statisticians call it kernel
#   regression and have used it since 1964; attention is kernel regression whose kernel is learned.
# - At no temperature does the answer leave the range of the values: weights are positive and sum to 1. So the blue
#   curve cannot reach a high tide that is higher than all its readings. What would you have to change to let it?
#
# </details>

# %% [markdown]
# **Question 1b.** The dot product is sometimes called "the cosine without the lengths". It is the other way round: the
# cosine drops the lengths, the dot product keeps them. What happens when one of the keys, 13:00, is twice or five times
# as long as the others? And when the *query* is?

# %% [markdown]
# **Your prediction:** *a long key …; a long query …*

# %%
with experiment():
    loud = int(np.flatnonzero(HOURS == 13)[0])
    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    for length, style in ((1, "C0-"), (2, "C1--"), (5, "C3:")):
        keys = hand(HOURS)
        keys[loud] *= length
        left.plot(day, ask(day, 0.1, keys)[1][:, loud], style, label=f"length {length}")
        found = [attention.retrieve(length * hand(h), hand(HOURS), HEIGHTS[:, None], temperature=0.1) for h in day]
        right.plot(day, [weights[loud] for _, weights in found], style, label=f"length {length}")
    left.set(title="a long key", ylabel="weight of 13:00")
    right.set(title="a long query")
    for axes in (left, right):
        axes.set(xlabel="hour asked for", xticks=range(0, 25, 4), ylim=(0, 1.05))
        axes.legend(loc="upper left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - A long **key** gets a large weight wherever its score is positive. Five times as long it has nearly all the weight
#   for the half day that it points to, whether it fits or not; in the other half its score is very negative, and its
#   weight practically 0.
# - A long **query** changes no order among the keys: the weights are as at a lower temperature. A network can learn
#   both: how important a token is, by the length of its key, and how selective a question, by the length of the query.
#
# </details>

# %% [markdown]
# ---
# ## §3 Scaled dot-product attention and §4 Masks
#
# Write `scaled_dot_product_attention` and the two masks, and check them.

# %%
grader.check("scaled_dot_product_attention")

# %%
grader.check("causal_mask")

# %%
grader.check("padding_mask")

# %% [markdown]
# ### Experiment 2 · A language model without a single parameter
#
# An old nursery rhyme grows with each verse: *this is the malt that lay in the house that jack built*. We predict each
# next letter by attention alone. The query is what was just written: the last few letters, one-hot. The keys are the
# same at each earlier place, and the value of a place is *the letter that came next*. Nothing is trained.
#
# **Question.** How many letters of the first verse are guessed correctly, how many of the last? What will the heat map
# of the weights look like?

# %% [markdown]
# **Your prediction:** *first verse … %, last verse … %; in the heat map I expect …*

# %%
PARTS = (
    "the house that jack built",
    "the malt that lay in ",
    "the rat that ate ",
    "the cat that killed ",
    "the dog that worried ",
    "the cow with the crumpled horn that tossed ",
)
VERSES = ["this is " + "".join(PARTS[i::-1]) + ". " for i in range(len(PARTS))]
LETTERS = np.array(["abcdefghijklmnopqrstuvwxyz .".index(letter) for letter in "".join(VERSES)])
ENDS = np.cumsum([len(verse) for verse in VERSES])


def recent(count):
    """The last ``count`` letters at each place, one-hot, side by side."""
    onehot = np.eye(28)[LETTERS]
    return np.concatenate([np.pad(onehot, ((lag, 0), (0, 0)))[: len(LETTERS)] for lag in range(count)], axis=1)


with experiment():
    T = len(LETTERS)
    following = np.pad(np.eye(28)[LETTERS], ((0, 1), (0, 0)))[1:]
    before = attention.causal_mask(T) & ~np.eye(T, dtype=bool)  # what follows the present letter is not known yet
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 3.6))
    for count, style in ((1, "C1s--"), (3, "C2^-."), (8, "C0o-")):
        k = recent(count)
        guess, weights = attention.scaled_dot_product_attention(k, k, following, before, scale=3.0)
        hits = guess[:-1].argmax(axis=1) == LETTERS[1:]
        rates = [part.mean() for part in np.split(hits, ENDS[:-1])]
        right.plot(range(1, 7), rates, style, label=f"{count} letter{'s' * (count > 1)}")
    blocks = weights[: T // 3 * 3, : T // 3 * 3].reshape(T // 3, 3, T // 3, 3).max(axis=(1, 3))  # or they are too fine
    heat(left, blocks, "weights, 8 letters", highest=0.6)
    for end in ENDS[:-1] / 3:
        left.axhline(end, color="C1", linewidth=0.5)
        left.axvline(end, color="C1", linewidth=0.5)
    right.set(title="next letter guessed correctly", xlabel="verse", ylabel="fraction", ylim=(0, 1.03))
    right.legend(title="length of the query", title_fontsize=9, loc="lower right")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The stripes are memory at work: parallel to the diagonal, each says "we have been here before, and this is how it
#   went on". A stripe runs as long as the repetition does. (The orange lines separate the verses.)
# - With eight letters nine of ten letters of verse 4 are retrieved from earlier verses. The misses are where something
#   new is said, and the last verse has the longest new line, a cow with a crumpled horn: what was never there cannot be
#   looked up. With one letter the query is too vague, too many places fit. (Only in the first verse it wins. Why?)
# - Trained transformers learn such a pattern by themselves. It is called an *induction head*, and takes two layers: one
#   that fetches the previous token, and one that searches for it. You will train the first kind in experiment 7.
# - At the very first place nothing may be seen. The row of weights is all zeros, and so is the guess. Did your code
#   survive it?
#
# </details>

# %% [markdown]
# ### Experiment 3 · Does it leak?
#
# We nudge the features of one token of seven and see which outputs change. Each grid shows it for all tokens. Above,
# four masks. Below, three ways to hide the future: set its **scores to 0**; set its **weights to 0** after the softmax;
# the same, and then **divide by the sum** of the weights that are left.
#
# **Question.** Which of the three leak the future? And does a padding mask make the outputs *of* the padding zero?

# %% [markdown]
# **Your prediction:** *scores to 0: …, weights to 0: …, weights to 0 and divided: …; outputs of the padding: …*


# %%
def influence(attend):
    """How much each output (row) changes when a token (column) is nudged."""
    x = np.random.default_rng(0).standard_normal((7, 4))
    nudged = [attend(x + 0.5 * np.eye(7)[:, [j]]) for j in range(7)]
    return np.stack([np.linalg.norm(y - attend(x), axis=1) for y in nudged], axis=1)


def by_mask(mask):
    return lambda x: attention.scaled_dot_product_attention(x, x, x, mask)[0]


with experiment():
    causal, padding = attention.causal_mask(7), attention.padding_mask(np.array([5]), 7)[0, 0]

    def scores_to_zero(x):
        return attention.masked_softmax(np.where(causal, attention.attention_scores(x, x), 0)) @ x

    def weights_to_zero(x):
        return np.where(causal, attention.masked_softmax(attention.attention_scores(x, x)), 0) @ x

    def divided(x):
        weights = np.where(causal, attention.masked_softmax(attention.attention_scores(x, x)), 0)
        return weights / weights.sum(axis=1, keepdims=True) @ x

    masks = {"no mask": None, "causal": causal, "padding from 5 on": padding, "both": causal & padding}
    ways = {"scores to 0": scores_to_zero, "weights to 0": weights_to_zero, "weights to 0, divided": divided}
    figure, grid = plt.subplots(2, 4, figsize=(7.5, 4.4))
    panels = [(name, by_mask(mask)) for name, mask in masks.items()] + list(ways.items())
    for axes, (name, attend) in zip(grid.ravel(), panels, strict=False):
        heat(axes, influence(attend) ** 0.5, name)
        axes.set(xlabel="nudged token", ylabel="output")
        for row, column in np.argwhere((influence(attend) > 1e-12) & ~causal & (name in ways)):
            axes.text(column, row, "!", color="C1", ha="center", va="center", fontweight="bold")
    grid[1, 3].set_axis_off()
    scores, kept = np.array([1.0, 2.0, 1000.0]), np.array([True, True, False])
    with np.errstate(invalid="ignore"):
        weights = np.where(kept, attention.masked_softmax(scores), 0)
        rows = {"masked_softmax": attention.masked_softmax(scores, kept), "divided": weights / weights.sum()}
    text = "\n\n".join(f"{name}:\n{np.round(row, 3)}" for name, row in rows.items())
    grid[1, 3].text(0, 0.5, f"scores 1, 2 and,\nhidden, 1000\n\n{text}", va="center", fontsize=9)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - A score of 0 is a score like any other: $e^0 = 1$. The hidden tokens keep weight.
# - Weights set to 0 after the softmax leak, if faintly (the marks): the hidden tokens add nothing to the sum any more,
#   but they are still in its denominator. A language model can learn to cheat through such a hole.
# - Dividing once more repairs it, in exact arithmetic. Then one hidden score is large, all the others round to 0, and
#   what is left is 0/0. So: hide **before** the softmax.
# - A padding mask hides padding as *keys*: the last two columns are white but for the diagonal. Its *rows* are not
#   white: as queries those tokens search like any other and get an answer that nobody wants. Leave them out of the
#   loss.
#
# </details>

# %% [markdown]
# ---
# ## §5 The backward pass
#
# Work through the example of the handout by hand before you write the code.

# %%
grader.check("softmax_jacobian")

# %%
grader.check("scaled_dot_product_attention_backward")

# %% [markdown]
# ### Experiment 4 · What √d is for
#
# "The scores are divided by √d so that the exponential does not overflow." Your `masked_softmax` does not overflow at
# ±10 000. So what is the division for?
#
# **Question.** Queries and 64 keys are drawn from a normal distribution, with d features from 1 to 4096. How do the
# variance of the scores, the largest weight and the gradient change with d, with and without the division?

# %% [markdown]
# **Your prediction:** *variance of the scores at d = 1024: …; the largest of the 64 weights: …*

# %%
with experiment():
    rng, sizes = np.random.default_rng(0), 4 ** np.arange(7)
    results = {}
    for name, power in (("q · k", 0), ("q · k / √d", -0.5)):
        for d in sizes:
            q, k = rng.standard_normal((200, d)), rng.standard_normal((64, d))
            scores = attention.attention_scores(q, k, scale=float(d) ** power)
            weights = attention.masked_softmax(scores)
            slope = np.median([np.linalg.norm(attention.softmax_jacobian(p)) for p in weights])
            results[name, d] = scores.var(), weights.max(axis=1).mean(), slope

    figure, panels = plt.subplots(1, 3, figsize=(7.5, 2.9))
    titles = "variance of the scores", "largest of 64 weights", "typical norm of the Jacobian"
    for column, (axes, title) in enumerate(zip(panels, titles, strict=True)):
        for name, style in (("q · k", "C1s--"), ("q · k / √d", "C0o-")):
            axes.plot(sizes, [results[name, d][column] for d in sizes], style, label=name)
        axes.set_xscale("log", base=4)
        axes.set(title=title, xlabel="d")
    panels[0].set_yscale("log")
    panels[0].legend()
    panels[1].set_ylim(0, 1)
    panels[2].set_ylim(bottom=0)

    fine = attention.masked_softmax(np.array([9000.0, 9000.0, -9000.0]))
    print("weights of the scores 9000, 9000, −9000:", fine)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The variance of $q \cdot k$ is $d$, because $d$ independent products are added. Divided by √d it is about 1 at every
#   size.
# - Undivided, at d = 1024 one key takes about 0.95 of the weight: a lookup as cold as the harbour master's coldest,
#   chosen by random vectors that have learned nothing. Divided, the largest is about 0.11.
# - The gradient passes through the Jacobian $J = \mathrm{diag}(p) - p p^\top$. Where one weight is near 1 (saturation)
#   it is small, and queries and keys hardly learn. This, and no overflow, is what √d prevents.
# - The undivided curve first rises: with two or three keys competing, the weights are most sensitive. Then it
#   collapses. Which row of three weights has the largest Jacobian, and which the smallest?
#
# </details>

# %% [markdown]
# ---
# ## §6 Several heads and §7 The backward pass of many heads
#
# Put the parts together, forward and backward.

# %%
grader.check("project_qkv")

# %%
grader.check("split_heads")

# %%
grader.check("merge_heads")

# %%
grader.check("multi_head_attention")

# %%
grader.check("multi_head_attention_backward")

# %% [markdown]
# ### Experiment 5 · How far back does the gradient reach?
#
# In assignment 4 you saw the gradient of a recurrent network die out with the lag. Now the same question for
# attention: the loss sits at the last of 100 tokens. How much gradient does the token `lag` steps earlier receive?
# Untrained layers with 32 features, four heads, the mean over ten draws.
#
# **Question.** Draw all three curves before you look: RNN, LSTM, attention. And what if there are 1000 tokens?

# %% [markdown]
# **Your prediction:** *at lag 99, RNN: 10^…, LSTM: 10^…, attention: 10^…*


# %%
def random_parameters(D, rng):
    """Parameters for ``multi_head_attention``: independent weights of variance 1 / D, biases 0."""
    shapes = {"in_proj_weight": (3 * D, D), "out_proj.weight": (D, D)}
    biases = {"in_proj_bias": np.zeros(3 * D), "out_proj.bias": np.zeros(D)}
    return {name: rng.standard_normal(shape) / D**0.5 for name, shape in shapes.items()} | biases


def recurrent_reach(layer, x, dy):
    """Gradient norms of the inputs of a recurrent layer, for a gradient ``dy`` of its last output."""
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    (layer.double()(x)[0][:, -1] * torch.from_numpy(dy)).sum().backward()
    return x.grad.norm(dim=2)[0].flip(0).numpy()


with experiment():
    D, lags = 32, np.arange(100)
    curves = {"attention, 100 tokens": [], "attention, 1000 tokens": [], "LSTM": [], "RNN": []}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        params, dy = random_parameters(D, rng), rng.standard_normal((1, D)) / D**0.5
        for T in (100, 1000):
            x, last = rng.standard_normal((1, T, D)), np.zeros((1, T, D))
            last[:, -1] = dy
            dx, _ = attention.multi_head_attention_backward(last, x, params, 4)
            curves[f"attention, {T} tokens"].append(np.linalg.norm(dx[0, ::-1][:100], axis=1))
        torch.manual_seed(seed)
        for name, kind in (("LSTM", nn.LSTM), ("RNN", nn.RNN)):
            curves[name].append(recurrent_reach(kind(D, D, batch_first=True), x[:, :100], dy))
    figure, axes = plt.subplots()
    for (name, norms), style in zip(curves.items(), ("C0-", "C5-", "C1--", "C3:"), strict=True):
        axes.semilogy(lags, np.mean(norms, axis=0), style, label=name)
    axes.set(xlabel="lag (tokens before the last)", ylabel="gradient norm", ylim=(1e-34, 1e2))
    axes.legend(loc="lower left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - RNN and LSTM lose about the same *factor* with every step, the LSTM a smaller one (with an open forget gate it loses
#   less: assignment 5). At lag 99 the means are $6$ to $9 \cdot 10^{-32}$ for the RNN and $4 \cdot 10^{-22}$ for the
#   LSTM (five seeds).
# - For attention there is no trend with the lag: 0.01 to 0.06 at every lag from 1 to 99. Every token is one step away.
# - But the weights have to sum to 1, so with ten times as many tokens each receives about a tenth: 0.001 to 0.004. It
#   **dilutes**, in proportion to $1/T$, where recurrence loses exponentially.
# - The jump at lag 0 is the last token itself. It is query, key and value at once, and its gradient has all three
#   parts; the others are only keys and values.
#
# </details>

# %% [markdown]
# ---
# ## §8 Positions
#
# Write the clocks and the instrument that measures whether anybody looks at them, and check them.

# %%
grader.check("sinusoidal_positions")

# %%
grader.check("permutation_error")

# %% [markdown]
# ### Experiment 6 · Dog bites man, man bites dog
#
# Twelve tokens go through a layer, in order and shuffled.
#
# **Question.** Which of four layers notice the order: attention; attention with positions added; attention with a
# causal mask but no positions; the running mean? And: how does the dot product of two position vectors depend on where
# they are?

# %% [markdown]
# **Your prediction:** *notice the order: …*

# %%
with experiment():
    positions = attention.sinusoidal_positions(64, 32)
    rng = np.random.default_rng(0)
    params, x = random_parameters(32, rng), rng.standard_normal((2, 12, 32))

    def attend(x, mask=None):
        return attention.multi_head_attention(x, params, 4, mask=mask)[0]

    layers = {
        "attention": attend,
        "with positions": lambda x: attend(x + positions[:12]),
        "causal mask": lambda x: attend(x, attention.causal_mask(12)),
        "running mean": lambda x: np.cumsum(x, axis=1) / np.arange(1, 13)[:, None],
    }
    errors = [attention.permutation_error(layer, x, rng.permutation(12)) for layer in layers.values()]

    figure, (clocks, products, bars) = plt.subplots(1, 3, figsize=(7.5, 2.9), width_ratios=[0.7, 1, 1])
    picture(clocks, positions, "positions", signed=1)
    clocks.set(xlabel="feature", ylabel="position", aspect="auto")
    picture(products, positions @ positions.T, "their dot products", signed=16)
    products.set(xlabel="position", ylabel="position")
    bars.barh(list(layers), np.maximum(errors, 1e-17), left=1e-17, color=["C0", "C1", "C1", "C1"])
    bars.set(xscale="log", xlim=(1e-17, 100), title="permutation error")
    bars.invert_yaxis()
    bars.grid(axis="y", visible=False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Plain attention sees a *set*: its error is that of the last digit. To it, "dog bites man" and "man bites dog" are
#   one sentence.
# - A causal mask breaks the symmetry all by itself: the first token sees one token, the last sees all. This is why
#   language models that are trained without any positions still work somewhat.
# - The dot products are constant along diagonals: they depend on the *distance* only. Can you prove it with
#   $\cos a \cos b + \sin a \sin b$? So "two tokens back" is a direction that a head can learn, wherever it stands.
#
# </details>

# %% [markdown]
# ### Experiment 7 · Watch a head being born
#
# One head of yours learns a task with your own backward pass: at each place, say what the **previous** token was.
# Tokens are random numbers, so nothing can be guessed; each has 16 features of content and 16 of position. Ten tokens,
# a causal mask, 300 steps of Adam.
#
# **Question.** Nobody tells it to look one place back. What will the weights look like at steps 0, 30, 100 and 300?
# Then it gets 30 tokens instead of 10, at positions that it has never seen. Does it still look back?

# %% [markdown]
# **Your prediction:** *at step 0 …, at step 300 …; with 30 tokens …*

# %%
CONTENT = 16


def tokens(count, T, rng):
    """Random contents with positions beside them: (count, T, 32)."""
    positions = np.broadcast_to(attention.sinusoidal_positions(T, 32 - CONTENT, base=100), (count, T, 32 - CONTENT))
    return np.concatenate([rng.standard_normal((count, T, CONTENT)), positions], axis=2)


def look_back(params, x):
    """The loss, its gradients, and the weights of the one head."""
    mask = attention.causal_mask(x.shape[1])
    y, weights = attention.multi_head_attention(x, params, 1, mask=mask)
    error = np.zeros_like(y)
    error[:, 1:, :CONTENT] = y[:, 1:, :CONTENT] - x[:, :-1, :CONTENT]  # the first has no previous token
    count = error[:, 1:, :CONTENT].size
    _, grads = attention.multi_head_attention_backward(2 * error / count, x, params, 1, mask=mask)
    return np.sum(error**2) / count, grads, weights[:, 0].mean(axis=0)


def adam(params, grads, moments, step, lr=0.01):
    """One step of Adam, in place."""
    for name, gradient in grads.items():
        m, s = moments.setdefault(name, [0, 0])
        moments[name] = m, s = 0.9 * m + 0.1 * gradient, 0.999 * s + 0.001 * gradient**2
        params[name] = params[name] - lr * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)


with experiment():
    rng = np.random.default_rng(1)
    params, moments, losses, born = random_parameters(32, rng), {}, [], {}
    for step in range(301):
        loss, grads, weights = look_back(params, tokens(16, 10, rng))
        losses.append(loss)
        if step in (0, 30, 100, 300):
            born[step] = weights
        adam(params, grads, moments, step + 1)
    longer, _, far = look_back(params, tokens(16, 30, rng))

    figure = plt.figure(figsize=(7.5, 4.6))
    above, below = figure.subfigures(2, 1, height_ratios=[1, 1.25])
    for axes, (step, weights) in zip(above.subplots(1, 4), born.items(), strict=True):
        heat(axes, weights, f"step {step}, loss {losses[step]:.3f}")
    curve, wide = below.subplots(1, 2)
    curve.semilogy(losses)
    curve.axhline(1, color="0.4", linestyle=":", linewidth=0.9)
    curve.text(300, 1.1, "knowing nothing", ha="right", fontsize=9)
    curve.set(xlabel="step", ylabel="mean square error")
    heat(wide, far, f"30 tokens, loss {longer:.3f}")
    wide.add_patch(plt.Rectangle((-0.5, -0.5), 10, 10, fill=False, edgecolor="C1"))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - From nothing but the gradient of an error in the *contents* the head learns a rule about *positions*: a dark line
#   just below the diagonal. You wrote every operation in it.
# - Inside the orange frame, the ten positions of the training, it works with 30 tokens as well. Beyond, the line frays
#   and breaks up. "It depends on the distance only" was a property of dot products of the raw positions; learned
#   queries and keys need not keep it where no loss ever asked them to.
# - That is a real problem of real models, which get worse beyond the length they were trained at. Relative and rotary
#   positions build the distance in. Try the cheaper cure here: train with random offsets, positions `s` to `s + 9`.
#
# </details>

# %% [markdown]
# ---
# ## §9 The cache

# %%
grader.check("incremental_attention")

# %% [markdown]
# ### Experiment 8 · What a new token costs
#
# A text of $t - 1$ tokens is there, and one token is added. Either everything is computed again, or only the new row,
# from cached keys and values.
#
# **Question.** By what factor does the time for *one* token grow from $t = 64$ to $t = 512$, in both ways? What does
# the cache cost instead?

# %% [markdown]
# **Your prediction:** *computed again: × …; with a cache: × …*

# %%
with experiment():
    rng = np.random.default_rng(0)
    q, k, v = rng.standard_normal((3, 1, 8, 512, 16))
    lengths = np.array([64, 128, 256, 512])
    times, memory, difference = {"everything again": [], "with a cache": []}, [], 0.0

    def seconds(call):
        """The shortest CPU time of five calls, and what the last one returned."""
        taken = []
        for _ in range(5):
            start = time.process_time()
            result = call()
            taken.append(time.process_time() - start)
        return min(taken), result

    for t in lengths:
        _, cache = attention.incremental_attention(q[:, :, : t - 1], k[:, :, : t - 1], v[:, :, : t - 1])
        new = [a[:, :, t - 1 : t] for a in (q, k, v)]
        whole = [a[:, :, :t] for a in (q, k, v)]
        again, (full, kept) = seconds(lambda whole=whole: attention.incremental_attention(*whole))
        cached, (row, _) = seconds(lambda new=new, cache=cache: attention.incremental_attention(*new, cache))
        difference = max(difference, np.abs(full[:, :, -1:] - row).max())
        times["everything again"].append(1000 * again)
        times["with a cache"].append(1000 * cached)
        memory.append(sum(part.nbytes for part in kept) / 1000)
    print(f"largest difference between the two: {difference:.1e}")

    figure, (left, right) = plt.subplots(1, 2)
    for (name, values), style in zip(times.items(), ("C1s--", "C0o-"), strict=True):
        left.loglog(lengths, values, style, label=name)
    left.set(title="CPU time for one more token", xlabel="t", ylabel="milliseconds")
    left.legend()
    right.plot(lengths, memory, "C0o-")
    right.set(title="size of the cache that was returned", xlabel="t", ylabel="kB", ylim=(0, None))
    for axes in (left, right):
        axes.set_xticks(lengths, lengths)
        axes.minorticks_off()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Both give the same row, up to the last digit. With eight times as many tokens the full pass takes about 64 times as
#   long or even longer, $t^2$. With the cache it is $t$ at most: for short texts you mostly see what a call costs.
# - A text of $T$ tokens costs $T^3$ without the cache and $T^2$ with it.
# - The price is memory that grows with every token: here 2 kB each, two vectors of 16 numbers for each of 8 heads, 8
#   bytes a number. A recurrent network's state never grows. Compute: 32 layers, 4096 features, 2 bytes a number, 100
#   000 tokens; how many GB does the cache take?
#
# </details>

# %% [markdown]
# ---
# ## §10 Senses

# %%
grader.check("sense_shift")

# %% [markdown]
# ### Experiment 9 · The apple moves, by hand
#
# A plane with two directions: fruit to the right, technology upwards. *Apple* stands between them. It searches its
# sentence, itself included, and what it finds is added to it.
#
# **Question.** Where does it go in "eat the juicy apple", in "charge the apple", and in "eat the apple, charge the
# phone"? How many *eat* does it take to outvote three *phone*?

# %% [markdown]
# **Your prediction:** *sketch the three arrows. … eat outvote three phones.*

# %%
PLANE = {
    "apple": (1, 1),
    "eat": (1.6, 0.1),
    "juicy": (1.3, 0.3),
    "charge": (0.1, 1.8),
    "phone": (0.3, 1.4),
    "the": (0.1, 0.1),
}
FRUIT, TECHNOLOGY = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def moved(sentence):
    """Apple's vector after it has searched its sentence, and by how much it has turned towards fruit."""
    words = np.array([PLANE[word] for word in sentence.split()], dtype=float)
    apple = np.array(PLANE["apple"], dtype=float)
    found, _ = attention.retrieve(apple, words, words, temperature=0.5)
    return apple + found, attention.sense_shift(apple, apple + found, FRUIT, TECHNOLOGY)[1]


with experiment():
    sentences = "eat the juicy apple", "charge the apple", "eat the apple charge the phone"
    arrows = [moved(sentence) for sentence in sentences]
    votes = [moved("apple " + count * "eat " + 3 * "phone ")[1] for count in range(9)]

    figure, (plane, ballot) = plt.subplots(1, 2, figsize=(7.5, 3.5))
    for word, place in PLANE.items():
        plane.plot(*place, "o", color="0.5")
        offset = (5, 6) if word == "juicy" else (5, -11)
        plane.annotate(word, place, offset, textcoords="offset points", fontsize=9, color="0.3")
    for (end, gain), sentence, colour in zip(arrows, sentences, ("C2", "C3", "C1"), strict=True):
        plane.annotate("", end, (1, 1), arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 2})
        plane.plot([], [], color=colour, label=f"{sentence}: {gain:+.2f}")
    plane.plot([0, 2.6], [0, 2.6], color="0.8", linestyle=":", zorder=0)
    plane.set(xlabel="fruit", ylabel="technology", xlim=(0, 2.8), ylim=(-0.2, 3.6))
    plane.legend(loc="upper left")
    ballot.bar(range(9), votes, color=np.where(np.array(votes) > 0, "C2", "C3"))
    ballot.axhline(0, color="0.4", linewidth=0.8)
    ballot.set(title="apple and three phones", xlabel="how many eat", ylabel="gain towards fruit", xticks=range(9))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - What is retrieved is added, and the vector turns. In this model "context changes meaning" is retrieval and addition.
# - In the third sentence two words speak for technology and one for fruit, and it shows.
# - It is a vote. *eat* and *phone* fit *apple* equally well (both dot products are 1.7), so both have the same weight.
#   Yet three against three is no tie: *eat* points more clearly to its side than *phone* does.
# - Here *we* have placed the words. That *eat* points to where fruit is has to be learned. Experiment 12 starts from
#   random vectors.
#
# </details>

# %% [markdown]
# ---
# ## §11 In PyTorch

# %%
grader.check("MultiHeadAttention")

# %% [markdown]
# ### Experiment 10 · One head against two
#
# Ten tokens carry four random numbers each. One of them is marked "red" (drawn in orange below), another "blue". The
# task: report the numbers of both. One head with 16 features, two heads with 8 features each, four with 4: all have the
# same 1 224 parameters.
#
# **Question.** How large is the error with one, two and four heads? (Reporting zeros has error 1.) What do the heads
# look at?

# %% [markdown]
# **Your prediction:** *one head: …, two: …, four: …*

# %%
RED, BLUE, ASK = 4, 5, 6  # features of the marks


def marked_tokens(count, rng):
    """Tokens (count, 10, 16), a token that asks (count, 1, 16), and the numbers of red and blue (count, 2, 4)."""
    x, lists = np.zeros((count, 10, 16), dtype=np.float32), np.arange(count)
    x[:, :, :4] = rng.standard_normal((count, 10, 4))
    red, blue = rng.random((count, 10)).argsort(axis=1)[:, :2].T
    x[lists, red, RED], x[lists, blue, BLUE] = 1, 1
    asking = np.zeros((count, 1, 16), dtype=np.float32)
    asking[:, :, ASK] = 1
    targets = np.stack([x[lists, red, :4], x[lists, blue, :4]], axis=1)
    return tuple(torch.from_numpy(a) for a in (x, asking, targets))


def report(heads):
    """Train a layer and its readout for 300 steps; the layer, and the errors for red and for blue."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    layer, readout = attention_torch.MultiHeadAttention(16, heads), nn.Linear(16, 8)
    optimizer = torch.optim.Adam([*layer.parameters(), *readout.parameters()], lr=0.01)
    for _ in range(300):
        x, asking, targets = marked_tokens(64, rng)
        loss = F.mse_loss(readout(layer(asking, x)).view(-1, 2, 4), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    x, asking, targets = marked_tokens(1000, rng)
    with torch.no_grad():
        error = (readout(layer(asking, x)).view(-1, 2, 4) - targets) ** 2
    return layer, error.mean(dim=(0, 2)).numpy()


with experiment():
    trained = {heads: report(heads) for heads in (1, 2, 4)}
    x, asking, _ = (a.numpy() for a in marked_tokens(10, np.random.default_rng(7)))
    figure = plt.figure(figsize=(7.5, 3.4))
    left, right = figure.subfigures(1, 2, width_ratios=[1, 2])
    bars = left.subplots()
    for offset, (name, colour) in enumerate((("red", "C1"), ("blue", "C0"))):
        errors = [error[offset] for _, error in trained.values()]
        bars.semilogy(np.arange(3) + 0.15 * (offset - 0.5), errors, "o", color=colour, markersize=7, label=name)
    bars.axhline(1, color="0.4", linestyle=":", linewidth=0.9)
    bars.set(title="mean square error", xlabel="heads", xlim=(-0.5, 2.5), ylim=(1e-5, 5))
    bars.set_xticks(range(3), trained)
    bars.legend(loc="lower left")
    panels = right.subplots(1, 3)
    heads_shown = [(1, 0), (2, 0), (2, 1)]
    for axes, (heads, head) in zip(panels, heads_shown, strict=True):
        params = {name: value.numpy() for name, value in trained[heads][0].state_dict().items()}
        _, weights = attention.multi_head_attention(asking, params, heads, memory=x)
        heat(axes, weights[:, head, 0], f"head {head + 1} of {heads}")
        axes.set(xlabel="token", ylabel="ten lists", aspect="auto")
        for feature, colour in ((RED, "C1"), (BLUE, "C0")):
            for row, column in np.argwhere(x[:, :, feature] == 1):
                place = (column - 0.5, row - 0.5)
                axes.add_patch(plt.Rectangle(place, 1, 1, fill=False, edgecolor=colour, linewidth=2))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The framed squares are the marked tokens. A head returns **one** average. Whatever its weights are, two sets of
#   numbers become one, and no readout can separate them again. Its error was 0.2 to 0.5 for one colour and 0.3 to 0.6
#   for the other, in five seeds.
# - Two heads return two *different* averages, and the error is below 0.001 in all five, as with four heads. Each need
#   not look at one colour: often one looks at one colour alone and the other at a mixture, from which the readout
#   subtracts it. The parameters are as many as before: more heads are not a bigger model.
# - If the tokens carry one of eight letters instead of numbers, one head gets nearly everything right as well: of
#   finitely many mixtures no two need be alike. How far does `report(16)` come, sixteen heads that compare by a single
#   number each?
# - The heat maps came from your NumPy function, with the weights of your PyTorch module. Same names, same layout.
#
# </details>

# %% [markdown]
# ### Experiment 11 · Is attention faster?
#
# **Question.** A recurrent layer needs $T$ steps that wait for each other, attention needs one; so attention is faster.
# Is it? One layer, 32 features, one sequence, forward pass, on one core of this machine.

# %% [markdown]
# **Your prediction:** *at T = 64 … is faster, at T = 2048 …*

# %%
with experiment():
    torch.manual_seed(0)
    lengths = np.array([64, 128, 256, 512, 1024, 2048])
    layers = {"LSTM": nn.LSTM(32, 32, batch_first=True), "attention": attention_torch.MultiHeadAttention(32, 4)}
    times = {name: [] for name in layers}
    with torch.no_grad():
        for T in lengths:
            x = torch.randn(1, int(T), 32)
            for name, layer in layers.items():
                taken = []
                for _ in range(3):
                    start = time.process_time()
                    layer(x)
                    taken.append(time.process_time() - start)
                times[name].append(1000 * min(taken))

    figure, (steps, products, clock) = plt.subplots(1, 3, figsize=(7.5, 3))
    steps.loglog(lengths, lengths, "C1s--", label="LSTM")
    steps.loglog(lengths, np.ones(len(lengths)), "C0o-", label="attention")
    steps.set(title="steps that wait for others")
    steps.legend(loc="center right")
    products.loglog(lengths, 8 * 32**2 * lengths, "C1s--")
    products.loglog(lengths, 4 * 32**2 * lengths + 2 * 32 * lengths**2, "C0o-")
    products.set(title="multiplications")
    for name, style in (("LSTM", "C1s--"), ("attention", "C0o-")):
        clock.loglog(lengths, times[name], style)
    clock.set(title="CPU time (ms), one core")
    for axes in (steps, products, clock):
        axes.set_xlabel("T")
        axes.set_xticks(lengths[::2], lengths[::2])
        axes.minorticks_off()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The first two panels are counted, not measured. The first is why attention gains on a device with thousands of
#   arithmetic units: $T$ steps that wait for each other leave most of these idle.
# - On one core the second panel matters: $T \cdot D^2$ against $T^2 \cdot D$. They
#   meet at $T = 2D = 64$, and from there attention has more to do.
# - Where the measured curves cross depends on your machine. So "attention is faster" depends on the hardware and on
#   $T$. (Recurrences without a nonlinearity between the steps can be computed in parallel, too.)
#
# </details>

# %% [markdown]
# ---
# ## §12 Senses, learned

# %%
grader.check("SenseModel")

# %% [markdown]
# ### Experiment 12 · The apple moves, by itself
#
# 34 words with random vectors, 1000 sentences such as "we slice the juicy plum today". A noun is hidden, and your
# `SenseModel` guesses it from its neighbours, 300 times. It is never told what *apple* means. Beside it trains a
# copy without learned projections: queries, keys and values are the word vectors themselves. Everything is done five
# times, with five draws of the weights and of the sentences.
#
# **Question.** When does *apple* begin to move towards fruit in "we eat the red apple today", and towards devices in
# "we charge the red apple today"? Does it in the copy? And where does it go in "we eat the **broken** apple today"?

# %% [markdown]
# **Your prediction:** *yours: …; the copy: …; the broken apple: …*


# %%
class Plain(attention_torch.SenseModel):
    """Your model, but its ``encode`` is ours: it searches with the word vectors, and it searches among them."""

    def encode(self, ids):
        words = self.embedding(ids)
        return words + F.scaled_dot_product_attention(words, words, words)


SEEDS = range(5)
CONTEXTS = (
    "we eat the red apple today",
    "you peel the ripe apple now",
    "we charge the red apple today",
    "you reboot the slow apple now",
    "we eat the broken apple today",
    "we charge the juicy apple today",
)


@torch.no_grad()
def gain_of_apple(model, sentence):
    """By how much the sentence turns its apple towards fruit."""
    table = model.embedding.weight.double()
    fruit, devices = (table[word_ids(words)].mean(dim=0) for words in ("pear plum banana", "phone laptop tablet"))
    inside = model.encode(torch.from_numpy(word_ids(sentence))[None])[0, NOUN].double()
    alone = table[VOCABULARY.index("apple")]
    return attention.sense_shift(*(vector.numpy() for vector in (alone, inside, fruit, devices)))[1]


def train_senses(kind, seed):
    """The gain in each context, before every tenth step of training."""
    torch.manual_seed(seed)
    rng, gains = np.random.default_rng(seed), []
    sentences, model = draw_sentences(1000, rng=rng), kind(len(VOCABULARY), 32)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(301):
        if step % 10 == 0:
            gains.append([gain_of_apple(model, sentence) for sentence in CONTEXTS])
        ids, nouns = map(torch.from_numpy, hide_nouns(sentences[rng.integers(1000, size=64)], rng=rng))
        loss = F.cross_entropy(model(ids)[:, NOUN], nouns)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return np.array(gains)


with experiment():
    models = {"your model": attention_torch.SenseModel, "the copy: q = k = v": Plain}
    gains = {name: np.array([train_senses(kind, seed) for seed in SEEDS]) for name, kind in models.items()}

    figure = plt.figure(figsize=(7.5, 5.6))
    above, below = figure.subfigures(2, 1, height_ratios=[1.15, 1])
    panels, bars = above.subplots(1, 2, sharey=True), below.subplots()
    for axes, (name, runs) in zip(panels, gains.items(), strict=True):
        for column, style in ((0, "C2-"), (2, "C3--")):
            lines = axes.plot(10 * np.arange(runs.shape[1]), runs[:, :, column].T, style, linewidth=1.2)
            lines[0].set_label(CONTEXTS[column])
        axes.axhline(0, color="0.4", linewidth=0.8)
        axes.set(title=name, xlabel="step", ylim=(-1.3, 1.7))
    panels[0].set_ylabel("gain of apple towards fruit")
    panels[0].legend(loc="upper left")
    last = gains["your model"][:, -1]  # a row for each seed, a column for each context
    means = last.mean(axis=0)
    bars.barh(CONTEXTS, means, color=np.where(means > 0, "C2", "C3"), alpha=0.5)
    bars.plot(last.T, range(len(CONTEXTS)), "k.", markersize=6)
    bars.axvline(0, color="0.4", linewidth=0.8)
    bars.set(title="your model after 300 steps: the mean, and a dot for each draw", xlabel="gain towards fruit")
    bars.set_xlim(-1.3, 1.3)
    bars.grid(axis="y", visible=False)
    bars.invert_yaxis()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Before training the gain is small, and in the copy it goes to 0. "The context adds its vector" is not enough:
#   what *eat* adds has to be something that points to fruit, and for that the values must be learned. (If the copy's
#   curves move away from 0, your `forward` does not call `self.encode`.)
# - With learned projections it moves: beyond 0.3 after 40 to 90 steps, to both sides, and it ends at +0.5 to +0.9 and
#   −0.7 to −0.8 (the red apple, five seeds). The only signal was which nouns stand beside which verbs and adjectives.
# - The broken apple is in a sentence that the training data cannot produce. Verb and adjective disagree, and the bars
#   show which of them your model trusts. Every sentence has a telling verb, only every second one a telling adjective.
#   In all five draws it trusted the verb.
#
# </details>

# %% [markdown]
# ---
# ## §13 Recall

# %%
grader.check("RecallModel")

# %% [markdown]
# ### Experiment 13 · What was the value of this key?
#
# Lists of pairs, then a key. Your `RecallModel` trains on lists of 64 pairs, 300 steps. An LSTM with more parameters
# gets the same CPU time, which is enough for far fewer steps: the legend says how many. Then the lists grow, up to 2048
# pairs.
#
# **Question 13a.** How do the two do at 16, 64 and 2048 pairs? Guessing gives 12.5 %.
#
# **Question 13b.** With random keys of d features and untrained attention at 1/√d, how much weight does the right key
# get among S? It scores about √d, the others about 0.

# %% [markdown]
# **Your prediction:** *attention: …, LSTM: …; the right one of 1000 keys with d = 16: …, with d = 128: …*


# %%
class Summary(nn.Module):
    """An LSTM that reads all pairs, then the key asked for, and answers from its last state."""

    def __init__(self, num_keys, num_values, dim):
        super().__init__()
        self.key, self.value = nn.Embedding(num_keys, dim), nn.Embedding(num_values, dim)
        self.lstm, self.readout = nn.LSTM(dim, 2 * dim, batch_first=True), nn.Linear(2 * dim, num_values)

    def forward(self, keys, values, query):
        pairs = torch.cat([self.key(keys) + self.value(values), self.key(query)[:, None]], dim=1)
        return self.readout(self.lstm(pairs)[0][:, -1])


def lists(count, length, rng):
    return [torch.from_numpy(a) for a in draw_lists(count, length, 2048, 8, rng=rng)]


def train_recall(kind, *, steps=300, budget=np.inf):
    """Train until the steps or the CPU seconds are used up; the model, its steps, and its seconds."""
    torch.manual_seed(0)
    rng, model, step, start = np.random.default_rng(0), kind(2048, 8, 48), 0, time.process_time()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    while step < steps and time.process_time() - start < budget:
        keys, values, query, answer = lists(64, 64, rng)
        loss = F.cross_entropy(model(keys, values, query), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
    return model, step, time.process_time() - start


@torch.no_grad()
def recalled(model, length, rng):
    keys, values, query, answer = lists(200, length, rng)
    return (model(keys, values, query).argmax(dim=1) == answer).double().mean().item()


with experiment():
    finder, steps, seconds_used = train_recall(attention_torch.RecallModel)
    reader, reader_steps, _ = train_recall(Summary, budget=seconds_used)
    lengths, rng = [16, 64, 256, 1024, 2048], np.random.default_rng(1)

    figure, (curve, dilution) = plt.subplots(1, 2, figsize=(7.5, 3.4))
    curve.plot(lengths, [recalled(finder, S, rng) for S in lengths], "C0o-", label=f"attention, {steps} steps")
    label = f"LSTM, {reader_steps} steps"
    curve.plot(lengths[:4], [recalled(reader, S, rng) for S in lengths[:4]], "C1s--", label=label)
    curve.axhline(1 / 8, color="0.4", linestyle=":", linewidth=0.9)
    curve.axvline(64, color="0.8", zorder=0)
    curve.text(70, 0.45, "trained at 64", fontsize=9, color="0.4")
    curve.set(title="answers that are right", xlabel="pairs in the list", ylim=(0, 1.05))
    curve.legend(loc="center right", bbox_to_anchor=(1, 0.7))
    for d, style in ((128, "C2^"), (48, "C0o"), (16, "C1s")):
        shares = []
        for S in lengths:
            draws = [rng.standard_normal((S, d)) for _ in range(30)]
            weights = [attention.masked_softmax(attention.attention_scores(k[:1], k))[0, 0] for k in draws]
            shares.append(np.median(weights))
        dilution.plot(lengths, shares, style, label=f"d = {d}")
        S = np.geomspace(16, 2048)
        dilution.plot(S, 1 / (1 + S * np.exp(0.5 - np.sqrt(d))), color=style[:2], linewidth=1, alpha=0.6)
    dilution.set(title="weight of the right key, random keys", xlabel="keys S", ylim=(0, 1.05))
    dilution.legend(loc="lower left")
    for axes in (curve, dilution):
        axes.set_xscale("log", base=2)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Attention has learned *how to look up*, and at 32 times the length it still does. The LSTM has to put all the pairs
#   into one vector before it sees the question, and within this budget it stays at guessing. This is no fair comparison
#   of what each can learn: in its CPU time the LSTM took 25 to 128 steps in seven of our runs, attention 300. (With 300
#   steps it still guessed.) Give it ten times as much, `budget=10 * seconds_used`, and look how far it comes.
# - The comparison is about this task. Where a summary is all that is asked for, as with the sum of a list, the LSTM
#   would do fine, with a memory that never grows.
# - On the right, the points are measured and the lines are $1 / (1 + S e^{1/2 - \sqrt d})$. The right key has the score
#   √d, its $S$ rivals have variance 1, and the mean of $e^z$ is then $e^{1/2}$. So the number of keys among which one
#   can still be found grows exponentially with √d. Retrieval dilutes, but more features make up
#   for it.
#
# </details>

# %% [markdown]
# ---
# ## §14 Memory
#
# `chunked_attention` is a **bonus**: it comes on top, and nothing else needs it.

# %%
grader.check("chunked_attention")  # bonus

# %% [markdown]
# ### Experiment 14 · The largest tensor
#
# **Question.** How large is the largest tensor that your `chunked_attention` creates, for chunks of 32 queries and for
# one chunk with all of them? How much slower is it?

# %% [markdown]
# **Your prediction:** *at T = 2048, with chunks of 32: … numbers; in one chunk: … numbers*


# %%
class Largest(TorchDispatchMode):
    """While it is on, looks at every tensor that an operation returns and keeps the largest size."""

    numbers = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.numbers = max(self.numbers, result.numel())
        return result


with experiment():
    torch.manual_seed(0)
    lengths, sizes, times = [128, 256, 512, 1024, 2048], {}, {}
    for T in lengths:
        q, k, v = torch.randn(3, 1, 1, T, 16)
        for name, chunk in (("one chunk", T), ("chunks of 32", 32)):
            with Largest() as meter:
                attention_torch.chunked_attention(q, k, v, chunk=chunk)
            start = time.process_time()
            attention_torch.chunked_attention(q, k, v, chunk=chunk)
            times.setdefault(name, []).append(1000 * (time.process_time() - start))
            sizes.setdefault(name, []).append(meter.numbers)
    figure, (left, right) = plt.subplots(1, 2)
    for name, style in (("one chunk", "C1s--"), ("chunks of 32", "C0o-")):
        left.loglog(lengths, sizes[name], style, label=name)
        right.loglog(lengths, times[name], style, label=name)
    left.set(title="numbers in the largest tensor", xlabel="T")
    right.set(title="CPU time (ms)", xlabel="T")
    for axes in (left, right):
        axes.set_xticks(lengths, lengths)
        axes.minorticks_off()
    left.legend()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - $T^2$ has become $32\,T$: at 2048 tokens 64 times less. The outputs are the same.
# - The time grows with $T^2$ in both: no multiplication has been saved. For short lists chunks are slower, 2 to 4 times
#   at $T = 128$, since each chunk costs some calls. From $T = 1024$ on they took the same time or less in our runs: a
#   small matrix stays in the processor's cache.
# - Fast kernels on a GPU ("flash attention") cut the *keys* into chunks as well, and so need a softmax that can be
#   computed piece by piece. How would you merge two pieces, each with its maximum and its sum?
#
# </details>

# %% [markdown]
# Last, what the header of `attention.py` promises for all its functions:

# %%
grader.check("conventions")

# %% [markdown]
# ---
# ## Hand in
#
# The cell below writes `submission.zip` with your two files (save them first). If they import modules of your own, add
# those to the list. This was the last assignment: well done.

# %%
grader.export(
    "lab.ipynb",
    export_path="submission.zip",
    pdf=False,
    files=["attention.py", "attention_torch.py"],
)
