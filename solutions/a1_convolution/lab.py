# %% [markdown]
# # Lab 1 · Convolution and kernels
#
# The handout says what is true. Here you find out whether you believe it.
#
# Every experiment has the same shape: a **question**, your **prediction**, code that calls *your* module, a plot, and
# what there is to notice. Write the prediction down before you run the cell, in a sentence or two, even if you guess.
# A wrong prediction is worth more than none: it tells you where your picture of things has a hole.
#
# - Your functions live in `convolution.py` and `convolution_torch.py`, not here. Edit and save them, then run a cell
#   again: the change is picked up by itself.
# - An experiment whose exercise is not written yet says so and is skipped. **Run all cells** whenever you like.
# - `grader.check("convolve")` runs the visible tests of an exercise, the same as `python -m pytest tests/convolve.py`.
# - The lab is not graded. Change it, break it, ask it questions of your own.

# %%
# %load_ext autoreload
# %autoreload 2
from time import process_time

import convolution
import convolution_torch
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import Audio, display
from labkit import Grader, experiment, numbers, picture, slider

plt.style.use("course.mplstyle")
grader = Grader("lab.ipynb")
with np.load("data/photographs.npz") as photographs:
    camera, chelsea = photographs["camera"], photographs["chelsea"]

# %% [markdown]
# The two photographs are real: `camera` by Lav Varshney, a man filming, in grey; `chelsea` by Stéfan van der Walt, the
# eye of a cat, in colour. Both are in the public domain (CC0).

# %% [markdown]
# ---
# ## §1 Convolution
#
# Write `convolve` and `convolution_matrix`, and check them.

# %%
grader.check("convolve")

# %%
grader.check("convolution_matrix")

# %% [markdown]
# ### Experiment 1 · A box slides over a box
#
# **Question.** A box is 1 high and lasts 1 second. What is its convolution with itself: which shape, how long, how
# high? And what happens to `convolve(box, box)` when you sample both boxes ten times as finely?

# %% [markdown]
# **Your prediction:** *double-click here and write it down before you run the cell.*


# %%
def box(step: float) -> np.ndarray:
    """A box 1 high and 1 s long, a sample every ``step`` seconds, each in the middle of its interval."""
    return np.ones(round(1 / step))


with experiment():
    figure = plt.figure(figsize=(7.5, 5))
    top, bottom = figure.subfigures(2, 1, height_ratios=[1, 1.6])

    step = 0.05
    overlap = step * convolution.convolve(box(step), box(step))
    slides = top.subplots(1, 4, sharey=True)
    for axes, shift in zip(slides, (0.25, 0.75, 1, 1.5), strict=True):
        axes.fill_between([0, 1], 1, color="C0", alpha=0.35, linewidth=0)
        axes.fill_between([shift - 1, shift], 1, color="C1", alpha=0.35, linewidth=0)
        axes.set(xlim=(-0.8, 1.8), ylim=(0, 1.25), xticks=[0, 1], xlabel="time τ (s)")
        axes.set_title(f"t = {shift:g} s: overlap {overlap[round(shift / step) - 1]:.2f} s", fontsize=9)
    slides[0].set_ylabel("height")
    slides[0].text(0.62, 0.5, "waits", ha="center", fontsize=8)
    slides[0].text(-0.38, 0.5, "slides", ha="center", fontsize=8)

    sums, integrals = bottom.subplots(1, 2)
    integrals.plot([0, 1, 2], [0, 1, 0], color="0.6", label="the triangle")
    for step, marker in ((0.25, "o"), (0.1, "s"), (0.05, ".")):
        y = convolution.convolve(box(step), box(step))
        time = step * np.arange(1, len(y) + 1)  # two middles add up to a whole step
        sums.plot(time, y, marker, label=f"step {step:g} s")
        integrals.plot(time, step * y, marker, label=f"step {step:g} s")
    sums.set(title="convolve(box, box)", xlabel="time t (s)", ylabel="sum")
    integrals.set(title="step · convolve(box, box)", xlabel="time t (s)", ylabel="area (s)")
    sums.legend(loc="upper left")
    integrals.legend(loc="lower center")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The value at time $t$ is the area where the two boxes overlap. It grows steadily while one slides in, is largest
#   when they coincide, and shrinks as steadily: a triangle, 2 s long.
# - The plain sum counts samples. Ten times as many samples, ten times the sum: it has no limit. Times the step it is
#   an area, and all three samplings lie on one triangle. The forgotten factor is the $d\tau$ of the integral.
# - A box has jumps, a triangle only corners. Convolve the triangle with the box once more, and then again: what becomes
#   of the corners? Which famous curve do you see coming?
#
# </details>

# %% [markdown]
# ---
# ## §2 Linear and time-invariant
#
# Write `impulse_response`, `is_linear` and `is_time_invariant`, and check them.

# %%
grader.check("impulse_response")

# %%
grader.check("is_linear")

# %%
grader.check("is_time_invariant")

# %% [markdown]
# ### Experiment 2 · A zoo that wants to break your classifiers
#
# **Question.** Each animal below is a system, with what its definition says about it: linear? time-invariant? Do your
# two functions agree with all of them? Several were chosen to be mistaken for something else.

# %% [markdown]
# **Your prediction:** *which three animals are the most dangerous for your code, and why?*


# %%
def shifted(x: np.ndarray, steps: int) -> np.ndarray:
    """x[n - steps], with silence before the signal begins and after it ends."""
    padded = np.concatenate([np.zeros(4), x, np.zeros(4)])
    return padded[4 - steps :][: len(x)]


def decimated(x: np.ndarray) -> np.ndarray:
    """Every second sample, and silence in the rest."""
    return np.concatenate([x[::2], np.zeros(len(x) // 2)])


def n(x: np.ndarray) -> np.ndarray:
    """The times of the samples: 0, 1, 2, ..."""
    return np.arange(len(x))


# name: (system, is it linear?, is it time-invariant?)
ZOO = {
    "echo: x[n] + x[n−3] / 2": (lambda x: x + shifted(x, 3) / 2, True, True),
    "running sum": (np.cumsum, True, True),
    "average that looks ahead": (lambda x: (shifted(x, 1) + x + shifted(x, -1)) / 3, True, True),
    "silence": (np.zeros_like, True, True),
    "growing gain: n · x[n]": (lambda x: n(x) * x, True, False),
    "every second sign flipped": (lambda x: (-1.0) ** n(x) * x, True, False),
    "half as loud at n = 10, only there": (lambda x: np.where(n(x) == 10, x / 2, x), True, False),
    "every second sample: x[2n]": (decimated, True, False),
    "offset: x[n] + 1": (lambda x: x + 1, False, True),
    "clipper at ±20": (lambda x: x.clip(-20, 20), False, True),
    "gate: silent below 0.02": (lambda x: np.where(np.abs(x) < 0.02, 0, x), False, True),
    "median of the last three": (lambda x: np.median([x, shifted(x, 1), shifted(x, 2)], axis=0), False, True),
    "product of neighbours": (lambda x: x * shifted(x, 1), False, True),
    "growing gain on a square": (lambda x: n(x) * x**2, False, False),
}
# Your own animals: ZOO["name"] = (system, True or False, True or False)

# %%
with experiment():
    columns = ("linear?", "time-invariant?")
    figure, axes = plt.subplots(figsize=(7.5, 0.3 * len(ZOO) + 0.6))
    for row, (system, *truths) in enumerate(ZOO.values()):
        verdicts = (
            convolution.is_linear(system, 24, rng=np.random.default_rng(row)),
            convolution.is_time_invariant(system, 24, rng=np.random.default_rng(row)),
        )
        for column, (verdict, truth) in enumerate(zip(verdicts, truths, strict=True)):
            right = bool(verdict) == truth
            axes.barh(row, 0.94, left=column + 0.03, height=0.84, color="C5" if right else "C1", alpha=0.5)
            said = "yes" if verdict else "no"
            axes.text(column + 0.5, row, f"{said}  ✓" if right else f"{said}  ✗ wrong", ha="center", va="center")
    axes.set(xlim=(0, 2), ylim=(len(ZOO) - 0.5, -0.5))
    axes.set_xticks([0.5, 1.5], [f"your verdict: {column}" for column in columns])
    axes.set_yticks(range(len(ZOO)), ZOO)
    axes.tick_params(length=0, labelsize=10)
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the table)</summary>
#
# - The *clipper* is linear for all who whisper, the *gate* for all who shout. Whoever tests at one loudness is fooled
#   by one of them.
# - The *median* passes every test of scaling. Only sums give it away.
# - Flipping *every second sign* looks innocent at delays of 2, 4, 6 …
# - The *offset* is no linear system, although its graph is a straight line, and it is time-invariant, although it
#   answers before anything has come in.
# - All that is linear **and** time-invariant is convolution with an impulse response. Four animals qualify.
#
# Now attack. Add animals to `ZOO` until your classifier is wrong about one that keeps the promises of the docstring:
# deterministic, looks ahead by 2 at most, a clear violation somewhere between amplitudes of 0.01 and 100. If you
# succeed, you have found a bug that the visible tests have not.
#
# </details>

# %% [markdown]
# ---
# ## §3 Padding
#
# Write `output_size`, `pad2d` and `window_coverage`, and check them. They have no experiment of their own; you will
# see padding at work in §5.

# %%
grader.check("output_size")

# %%
grader.check("pad2d")

# %%
grader.check("window_coverage")

# %% [markdown]
# ---
# ## §4 Correlation
#
# Write `cross_correlate`, `cosine_similarity`, `match_template` and `correlate2d`, and check them.

# %%
grader.check("cross_correlate")

# %% [markdown]
# ### Experiment 3 · The tuning fork
#
# A tuning fork hums when its own note is played. Ours is a kernel: 50 ms of a cosine. Its answers are scaled so that a
# pure note of amplitude 1, in step with the fork, gives exactly 1.
#
# **Question 3a.** You play the fork's own note, 440 Hz. You hold the fork still, at one place of the signal, and take
# the inner product. How does the answer depend on *when* the note's wave begins, on its phase?

# %% [markdown]
# **Your prediction:** *what is the answer at a phase of 0°, 90° and 180°?*

# %%
RATE = 8000  # samples a second
FORK_SAMPLES = 400  # 50 ms


def note(frequency: float, samples: int, phase: float = 0) -> np.ndarray:
    """A pure note of amplitude 1; frequency in Hz, phase in degrees."""
    return np.cos(2 * np.pi * frequency * np.arange(samples) / RATE - np.deg2rad(phase))


def answers(signal: np.ndarray, frequency: float) -> np.ndarray:
    """What a fork answers at each place of a signal."""
    return 2 / FORK_SAMPLES * convolution.cross_correlate(signal, note(frequency, FORK_SAMPLES))


with experiment():
    phases = np.arange(0, 361, 15)
    responses = [answers(note(440, FORK_SAMPLES + 20, phase), 440) for phase in phases]

    figure, (waves, answer) = plt.subplots(1, 2, width_ratios=[1, 1.3])
    milliseconds = 1000 / RATE * np.arange(40)
    waves.plot(milliseconds, note(440, 40), label="fork")
    waves.plot(milliseconds, note(440, 40, 90), "--", label="note, 90° late")
    waves.set(title="The first 5 ms", xlabel="time (ms)", ylabel="amplitude", ylim=(-1.2, 1.8))
    waves.legend(loc="upper right", ncols=2)
    answer.plot(phases, [r[0] for r in responses], "o-", label="held still")
    answer.plot(phases, [r.max() for r in responses], "s-", label="largest over 21 shifts")
    answer.set(title="The fork's answer to its own note", xlabel="phase of the note (degrees)", ylabel="answer")
    answer.set(xticks=range(0, 361, 90), ylim=(-1.2, 1.8))
    answer.legend(loc="upper right", ncols=2)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Held still, the fork answers with the cosine of the phase. A quarter of a period late, it says **0** to its very own
#   note; half a period late, −1.
# - Slid along, it is in step somewhere within one period (2.3 ms, 18 samples). The **largest answer over the shifts**
#   does not care about the phase. That is what a filter, which is slid along everything, gives you for free.
# - The upper curve is not perfectly flat: shifts come in whole samples, and the best one may be half a sample off.
#
# </details>

# %% [markdown]
# **Question 3b.** Somebody plays three notes at once, each with a phase of its own. You have thirteen forks. Can they
# tell which notes are in the chord?

# %% [markdown]
# **Your prediction:** *which of the three notes would forks that are held still miss? What will you hear when the chord
# has passed through the 440 Hz fork as a filter?*

# %%
NOTES = ["G4", "G♯4", "A4", "A♯4", "B4", "C5", "C♯5", "D5", "D♯5", "E5", "F5", "F♯5", "G5"]
frequencies = 440 * 2 ** (np.arange(-2, 11) / 12)  # each 6 % above the one before

seconds = 0.6
played = {"A4": 0, "C♯5": 90, "E5": 45}  # note: phase
chord = sum(note(frequencies[NOTES.index(name)], round(RATE * seconds), phase) for name, phase in played.items())

with experiment():
    piece = chord[: FORK_SAMPLES + 20]
    heard = [np.abs(answers(piece, frequency)) for frequency in frequencies]
    filtered = convolution.convolve(chord, note(440, FORK_SAMPLES))

    figure, (waves, bars) = plt.subplots(2, 1, figsize=(7.5, 4.6), height_ratios=[1, 1.5])
    waves.plot(1000 / RATE * np.arange(len(piece)), piece)
    waves.set(title="The chord", xlabel="time (ms)", ylabel="amplitude", xlim=(0, 50))
    bars.bar(NOTES, [a.max() for a in heard], color="C0", label="largest over 21 shifts")
    bars.plot(NOTES, [a[0] for a in heard], "D", color="C1", markersize=7, label="held still")
    bars.set(title="The forks", xlabel="fork", ylabel="|answer|", ylim=(0, 1.3))
    bars.grid(axis="x", visible=False)
    bars.legend(loc="upper right")

    for title, sound in (("The chord:", chord), ("What the 440 Hz fork lets through:", filtered)):
        print(title)
        display(Audio(sound, rate=RATE))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot and the sounds)</summary>
#
# - Slid along, three forks answer with about 1: A4, C♯5 and E5 are in the chord. Held still, the fork for C♯5 hears
#   next to nothing, because its note begins 90° late, and the one for E5 hears 0.7.
# - The other forks are not silent. In 50 ms neighbouring notes drift apart by little more than one period, so the fork
#   cannot reject its neighbours cleanly. A longer fork can: try `FORK_SAMPLES = 1600`. What do you pay for it?
# - The convolved chord is a single note. This is why a kernel is called a **filter**.
#
# </details>

# %%
grader.check("cosine_similarity")

# %%
grader.check("match_template")

# %% [markdown]
# ### Experiment 4 · Loud is not similar
#
# **Question.** We cut the man's ear out of one row of the photograph, 20 pixels, and slide it along that same row. The
# match is perfect at one place. Is the inner product largest there? Is the cosine? The NCC? And what changes when the
# row fades (less contrast, more brightness) while the template stays as it was?

# %% [markdown]
# **Your prediction:** *where does each of the three find its best match?*

# %%
ROW, START, WIDTH = 83, 42, 20
row = camera[ROW].astype(float)
faded = 0.4 * row + 120
ear = row[START : START + WIDTH]

with experiment():

    def cosines(signal: np.ndarray, template: np.ndarray) -> np.ndarray:
        places = range(len(signal) - len(template) + 1)
        return np.array([convolution.cosine_similarity(signal[i : i + len(template)], template) for i in places])

    scores = {
        "inner product": lambda signal, template: convolution.cross_correlate(signal, template) / 1000,
        "cosine": cosines,
        "NCC": convolution.match_template,
    }
    figure = plt.figure(figsize=(7.5, 6.4))
    left, right = figure.subfigures(1, 2, width_ratios=[1, 2.1])
    where, template = left.subplots(2, 1, height_ratios=[1, 0.8])
    picture(where, camera, f"row {ROW}, and the ear in it")
    where.axhline(ROW, color="C4", linewidth=1)
    where.plot([START, START + WIDTH], [ROW, ROW], color="C1", linewidth=4)
    template.plot(np.arange(START, START + WIDTH), ear, "o-", color="C1")
    template.set(title="the ear: the template", xlabel="column", ylabel="grey value", ylim=(0, 220))

    signal, *plots = right.subplots(4, 1, sharex=True)
    signal.axvspan(START, START + WIDTH, color="C1", alpha=0.25, linewidth=0)
    signal.plot(row, "C0-", linewidth=2.6, label="the row")
    signal.plot(faded, "C6--", linewidth=1.2, label="the row, faded")
    signal.set(ylabel="grey value", ylim=(0, 320))
    signal.legend(loc="upper right", ncols=2)
    for axes, (title, score) in zip(plots, scores.items(), strict=True):
        for seen, style, width in ((row, "C0-", 2.6), (faded, "C6--", 1.2)):
            found = score(seen, ear)
            best = found.argmax()
            axes.plot(found, style, linewidth=width)
            axes.plot(best, found[best], "o", color="C1", markersize=9, fillstyle="none", markeredgewidth=2)
        axes.axvline(START, color="C1", linewidth=1, linestyle=":")
        axes.margins(y=0.15)
        axes.set_ylabel(title)
    plots[0].set(ylabel="inner product\n(thousands)", ylim=(0, 600))
    plots[-1].set(xlabel="column where the window begins")
    right.align_ylabels()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Circles mark the best places, the dotted line is the truth. The **inner product** prefers the sky, which looks
#   nothing like an ear. It is a bright plateau, and the inner product keeps the norms: loud beats similar.
# - The **cosine** divides by the norms and finds the ear. But all grey values are positive, so all windows point in
#   similar directions, and the plain sky gets 0.96. In the faded row the ear itself gets no more than 0.98.
# - **NCC** takes the means out first. It is 1 at the ear in both rows, and its two curves are one and the same: the
#   second-best place has 0.67.
# - Nothing is free: NCC forgets contrast altogether. In the smooth sky it compares the ear with the last bit of noise,
#   and the curve jumps about. Practical matchers ignore windows that are too flat.
#
# </details>

# %%
grader.check("correlate2d")

# %% [markdown]
# ---
# ## §5 Filtering photographs
#
# Write `make_kernel` and `filter_image`, and check them.

# %%
grader.check("make_kernel")

# %%
grader.check("filter_image")

# %% [markdown]
# ### Experiment 5 · One slider from blur to edge
#
# **Question.** Mix two kernels, $(1 - t) \cdot \text{box} + t \cdot \text{edge}$, and move $t$ from 0 to 1: from a blur
# to its opposite. At one place on the way the photograph comes back as it was, only a little darker. The figure shows
# places before and after it. At which $t$ does it lie, and why there? The handout has the equation that tells; the
# slider lets you look.

# %% [markdown]
# **Your prediction:** *t = …, because …*

# %%
with experiment():
    identity, blur, edge = (convolution.make_kernel(name) for name in ("identity", "box", "edge"))
    print("largest entry of edge − 9 · (identity − box):", np.abs(edge - 9 * (identity - blur)).max().round(12))

    def mixed(t: float) -> np.ndarray:
        return (1 - t) * blur + t * edge

    piece = camera[40:132, 50:160]
    stops = (0, 0.05, 0.2, 0.5, 1)
    figure, grid = plt.subplots(2, len(stops), figsize=(7.5, 3))
    for t, above, below in zip(stops, *grid, strict=True):
        picture(above, convolution.filter_image(piece, mixed(t)), f"t = {t:g}")
        numbers(below, mixed(t), signed=8)
        below.set_xlabel(f"sum {mixed(t).sum():.2f}")
    plt.show()

    @slider(low=0, high=1, step=0.01, start=0)
    def slide(t: float) -> None:
        _, (left, right) = plt.subplots(1, 2, width_ratios=[2, 1])
        picture(left, convolution.filter_image(piece, mixed(t)), f"t = {t:.2f}")
        numbers(right, mixed(t), f"weights, sum {mixed(t).sum():.2f}", signed=8)
        plt.show()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot and the slider)</summary>
#
# - $\text{edge} = 9 \cdot (\text{identity} - \text{box})$: the edge kernel keeps what the blur removes, nine times as
#   strong. So the mixture is $9t \cdot \text{identity} + (1 - 10t) \cdot \text{box}$.
# - At $t = 0.1$ the box drops out, and 0.9 times the photograph is left. Below, you blur. Above, the box is
#   *subtracted*, and the picture is sharper than the original.
# - The weights sum to $1 - t$, and so does the brightness of every uniform area: the sky goes out as $t$ rises. At
#   $t = 1$ nothing is left of it, and only change is seen. Blur, sharpen and edge are stations on one line.
#
# </details>

# %% [markdown]
# ### Experiment 6 · An edge answers twice
#
# **Question.** The edge kernel crosses a border between dark and bright. What does it say on the dark side, what on the
# bright side? An image file stores whole numbers from 0 to 255: how much of the answer does it keep?

# %% [markdown]
# **Your prediction:** *which share of all answers is negative?*

# %%
with experiment():
    piece, cut = camera[100:170, :100], 48
    edge = convolution.make_kernel("edge")
    signed = convolution.correlate2d(convolution.pad2d(piece, 1, "replicate"), edge)
    kept = convolution.filter_image(piece, edge)

    figure = plt.figure(figsize=(7.5, 7.4))
    top, bottom = figure.subfigures(2, 1, height_ratios=[1.75, 1])
    grid = top.subplots(2, 2).ravel()
    picture(grid[0], piece, "photograph")
    shown = picture(grid[1], signed, "signed response", signed=400)
    picture(grid[2], kept, "what uint8 keeps")
    picture(grid[3], np.abs(signed), "absolute value")
    for axes in grid:
        axes.axhline(cut, color="C4", linewidth=1)
    top.colorbar(shown, ax=grid, extend="both", ticks=[-400, 0, 400], shrink=0.6, label="signed response")

    line = bottom.subplots()
    line.axhline(0, color="0.4", linewidth=0.8)
    line.plot(piece[cut], color="0.6", label="grey value")
    line.plot(signed[cut], "o-", color="C1", markersize=3.5, linewidth=1.2, label="signed response")
    line.plot(kept[cut], "x", color="C6", label="what uint8 keeps")
    line.set(title=f"Along row {cut}, the line in the pictures", xlabel="column", ylabel="grey value or response")
    line.set_ylim(top=1.4 * max(signed[cut].max(), 255))
    line.legend(loc="upper left", ncols=3)
    shares = {"below 0": signed < 0, "exactly 0": signed == 0, "above 255": signed > 255}
    print(", ".join(f"{100 * share.mean():.0f} % {name}" for name, share in shares.items()))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - At each border the response swings both ways: **positive on the bright side, negative on the dark side**. In colour
#   the borders are double lines.
# - `filter_image` returns a picture, and a picture has no negative numbers. About half of all responses are clipped to
#   0, and the double lines become single ones, on the bright side only.
# - The absolute value keeps both sides, and loses which is which. A layer in a network keeps the sign: its output is
#   an array of numbers, not a picture. (Then a ReLU comes and drops the negative half on purpose. Assignment 2.)
# - On the plain cloth of the jacket the response is small and not zero: the kernel amplifies the noise of the
#   photograph as well.
#
# </details>

# %% [markdown]
# ---
# ## §6 Convolution layers
#
# Write the layer twice, slowly and fast, and count its parameters.

# %%
grader.check("conv2d_forward")

# %%
grader.check("im2col")

# %%
grader.check("conv2d_im2col")

# %% [markdown]
# ### Experiment 7 · The same sums, twice
#
# One image with 3 channels, 8 filters of 3×3, and images of 8×8 to 64×64 pixels. The layer is computed by your
# `conv2d_forward` and by your `conv2d_im2col`. Both multiply the same pairs of numbers.
#
# **Question.** How many times faster is the matrix product? And what does `im2col` pay: how many numbers does its
# matrix hold, for each number of the image?

# %% [markdown]
# **Your prediction:** *… times faster; … numbers for each one*


# %%
def milliseconds(call, repeats: int) -> float:
    """The shortest CPU time of a few calls."""
    taken = []
    for _ in range(repeats):
        start = process_time()
        call()
        taken.append(1000 * (process_time() - start))
    return min(taken)


with experiment():
    rng, sides = np.random.default_rng(0), [8, 16, 32, 64]
    w, b = rng.standard_normal((8, 3, 3, 3)), rng.standard_normal(8)
    ways = {
        "your conv2d_forward": (convolution.conv2d_forward, 3, "C1s--"),
        "your conv2d_im2col": (convolution.conv2d_im2col, 20, "C0o-"),
    }
    times, held = {name: [] for name in ways}, []
    for side in sides:
        x = rng.standard_normal((1, 3, side, side))
        for name, (way, repeats, _) in ways.items():
            times[name].append(milliseconds(lambda way=way, x=x: way(x, w, b), repeats))
        held.append(convolution.im2col(x, 3).size / x.size)
    ratios = np.divide(times["your conv2d_forward"], times["your conv2d_im2col"])
    print("conv2d_forward / conv2d_im2col:", ", ".join(f"{ratio:.1f}" for ratio in ratios))

    figure, (clock, memory) = plt.subplots(1, 2, width_ratios=[1.6, 1])
    for name, (_, _, style) in ways.items():
        clock.loglog(sides, times[name], style, label=name)
    clock.set(title="CPU time for one image", xlabel="side of the image (pixels)", ylabel="milliseconds")
    clock.legend(loc="upper left")
    memory.plot(sides, held, "C0o-")
    memory.axhline(9, color="0.4", linewidth=0.9, linestyle=":")
    memory.text(8, 9.2, "3 · 3", fontsize=9)
    memory.set(
        title="size of im2col's matrix", xlabel="side of the image", ylabel="numbers for each pixel", ylim=(0, 11)
    )
    for axes in (clock, memory):
        axes.set_xscale("log", base=2)
        axes.set_xticks(sides, [str(side) for side in sides])
        axes.minorticks_off()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Not one multiplication has been saved. What is saved is Python's work around each of them, so the ratio says how
#   your `conv2d_forward` is written. With a loop for each letter of the formula it was 200 at 8×8 in our run, 1 000 at
#   16×16 and 3 000 to 4 000 at the larger sizes. If yours multiplies whole arrays, it is much smaller.
# - The price is memory. Away from the border each pixel lies in $3 \cdot 3 = 9$ windows and is written down nine times;
#   at small sizes the border, whose pixels lie in fewer, counts more. With 11×11 windows it would be 121 times.
# - Once the images are large, the time rises by about four for each doubling of the side: four times as many pixels. No
#   way of writing it changes that.
#
# </details>

# %%
grader.check("conv2d_parameter_count")

# %%
grader.check("linear_parameter_count")

# %% [markdown]
# ---
# ## §7 The backward pass
#
# Work through the 2×2 example of the handout by hand before you write `conv2d_backward`. `col2im` is a **bonus**: it
# comes on top, and nothing else needs it.

# %%
grader.check("conv2d_backward")

# %%
grader.check("col2im")  # bonus

# %% [markdown]
# ### Experiment 8 · Which mistakes does a gradient check find?
#
# A derivative can be measured: move one number up and down by a little, and look at how the loss changes. We do it for
# every entry of $x$, $w$ and $b$, and compare with your `conv2d_backward`, then with four versions that we spoil on
# purpose. There are two tests: the smallest one that comes to mind (one image, one channel, one filter, the Laplacian)
# and one with nothing special about it (two images, two channels, three filters of random numbers).
#
# **Question.** Which of the four mistakes does the small test find?

# %% [markdown]
# **Your prediction:** *the small test finds …*

# %%
honest = convolution.conv2d_backward


def turned(dy: np.ndarray, x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, ...]:
    return honest(dy, x, w[:, :, ::-1, ::-1])


def averaged(dy: np.ndarray, x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, ...]:
    dx, dw, db = honest(dy, x, w)
    return dx, dw / len(x), db / len(x)


def one_channel(dy: np.ndarray, x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, ...]:
    return honest(dy, np.repeat(x[:, :1], x.shape[1], axis=1), w)


def last_filter(dy: np.ndarray, x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, ...]:
    return honest(dy[:, -1:], x, w[-1:])[0], *honest(dy, x, w)[1:]


SPOILED = {
    "yours": honest,
    "kernel turned by 180° for dx": turned,
    "mean over the images": averaged,
    "dw always from channel 0": one_channel,
    "dx from the last filter only": last_filter,
}


def measured(function, array: np.ndarray, dy: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """The gradient of the loss, the sum of dy · function(array), by central differences."""
    gradient = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        up, down = array.copy(), array.copy()
        up[place] += h
        down[place] -= h
        gradient[place] = np.sum(dy * (function(up) - function(down))) / (2 * h)
    return gradient


with experiment():
    rng = np.random.default_rng(0)
    laplacian = convolution.make_kernel("laplacian")[None, None]
    tests = {
        "one image, one channel,\none filter: the Laplacian": (rng.standard_normal((1, 1, 5, 6)), laplacian),
        "two images, two channels,\nthree random filters": (
            rng.standard_normal((2, 2, 5, 6)),
            rng.standard_normal((3, 2, 3, 3)),
        ),
    }
    figure, pair = plt.subplots(1, 2, figsize=(7.5, 3.1), sharey=True)
    for axes, (title, (x, w)) in zip(pair, tests.items(), strict=True):
        b = rng.standard_normal(len(w))
        dy = rng.standard_normal((len(x), len(w), 3, 4))
        true = (
            measured(lambda x, w=w, b=b: convolution.conv2d_forward(x, w, b), x, dy),
            measured(lambda w, x=x, b=b: convolution.conv2d_forward(x, w, b), w, dy),
            measured(lambda b, x=x, w=w: convolution.conv2d_forward(x, w, b), b, dy),
        )
        errors = [
            [np.abs(said - slope).max() / np.abs(slope).max() for said, slope in zip(way(dy, x, w), true, strict=True)]
            for way in SPOILED.values()
        ]
        axes.imshow(np.array(errors) > 1e-6, cmap="PuOr_r", vmin=-2, vmax=2, aspect="auto")
        for (row, column), value in np.ndenumerate(errors):
            text = f"✗ {value:.1g}" if value > 1e-6 else "✓"
            axes.text(column, row, text, ha="center", va="center", fontsize=9)
        axes.set_xticks(range(3), ["dx", "dw", "db"])
        axes.set_yticks(range(len(SPOILED)), SPOILED)
        axes.set_title(title, fontsize=9)
        axes.grid(visible=False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The small test finds none of the four. With one image a mean is a sum, with one channel there is no other, and the
#   Laplacian looks the same turned by 180°. The second test finds them all, and says in which gradient to look.
# - The number beside a cross is the largest difference, divided by the largest slope. Where you see a check mark it is
#   below $10^{-6}$: central differences cannot do much better, and a mistake is hardly ever that small.
# - A check holds your backward pass to *your* forward pass. If both contain the same mistake, they agree.
# - So test with sizes that all differ, with numbers that have no pattern, and with a loss that weighs every output
#   differently, as `dy` does here.
#
# </details>

# %% [markdown]
# ---
# ## §8 Learning a kernel
#
# Write `learn_kernel`, and check it.

# %%
grader.check("learn_kernel")

# %% [markdown]
# ### Experiment 9 · Watch a kernel being discovered
#
# Somebody has filtered an image with the Laplacian (4 in the centre, −1 at its four neighbours) and shows you both
# images, but not the kernel. Gradient descent starts from zeros and looks for it.
#
# **Question.** Three teachers show one image each: white noise, a piece of the photograph, and the same piece after its
# mean was subtracted. All use one rule for the step size, $0.5 / (9 \cdot \text{mean of } x^2)$: half of what is safe
# for every image with that mean square, whatever else it looks like. Who teaches fastest?

# %% [markdown]
# **Your prediction:** *order the three, and say what the worst one's kernel looks like after 100 steps.*

# %%
with experiment():
    laplacian = convolution.make_kernel("laplacian")
    photograph = camera[80:120, 80:120] / 255
    images = {
        "noise": np.random.default_rng(1).standard_normal((40, 40)),
        "photograph − mean": photograph - photograph.mean(),
        "photograph": photograph,
    }
    moments = (1, 10, 30, 100)

    figure = plt.figure(figsize=(7.5, 4.4))
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.3])
    curve, grid = left.subplots(), right.subplots(len(images), len(moments))
    for (name, x), row_of_axes, style in zip(images.items(), grid, ("-", "--", "-."), strict=True):
        y = convolution.correlate2d(x, laplacian)
        lr = 0.5 / (9 * np.mean(x**2))  # half of what never overshoots: nine weights meet x² each
        for axes, steps in zip(row_of_axes, moments, strict=True):
            kernel, losses = convolution.learn_kernel(x, y, 3, lr=lr, steps=steps)
            numbers(axes, kernel, signed=4)
        row_of_axes[0].set_title(name, fontsize=9)
        curve.semilogy(losses / losses[0], style, label=name)
    for axes, steps in zip(grid[-1], moments, strict=True):
        axes.set_xlabel(f"step {steps}", fontsize=9)
    curve.set(xlabel="step of gradient descent", ylabel="loss / first loss", ylim=(0.01, 1.5))
    curve.set_yticks([0.01, 0.03, 0.1, 0.3, 1], ["0.01", "0.03", "0.1", "0.3", "1"])
    curve.legend(loc="lower right")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - From **noise** the Laplacian appears within 30 steps. Its loss has left the picture after 19 to 21 steps (seven
#   draws of the noise), along a straight line: on this axis, by the same factor at every step. Nobody told the
#   algorithm about second derivatives.
# - The **photograph** is a poor teacher. Its neighbouring pixels are nearly equal, so that very different kernels give
#   nearly the same output, and the loss cannot tell them apart. It is badly conditioned (§8): the condition number is
#   about 11 000 here, and 1.2 to 1.4 for the noise.
# - **Subtracting the mean** costs nothing and helps much: the condition number falls to about 920, and after 100 steps
#   the loss is at 34 % of its first value instead of 88 %. In assignment 2 this becomes batch normalization.
# - A loss that goes down does not mean that the kernel is found. In the middle row two thirds of the loss are gone, and
#   the centre of the kernel is 1.1 instead of 4. Put 1000 into `moments`: the loss is then at 3 %, and the centre at
#   3.1.
# - The rule is cautious. The longest step that does not overshoot is twice as long for the photograph and 15 to 17
#   times as long for the noise, where it would make the noise win by even more.
#
# </details>

# %% [markdown]
# ---
# ## §9 In PyTorch
#
# Write the second file, `convolution_torch.py`, and check it.

# %%
grader.check("conv2d_unfold")

# %%
grader.check("Conv2d")

# %%
grader.check("nchw_to_nhwc")

# %%
grader.check("nhwc_to_nchw")

# %% [markdown]
# ### Experiment 10 · The right shape, and everything wrong
#
# An image file has its channels last: `chelsea` is (120, 160, 3). PyTorch wants (1, 3, 120, 160).
#
# **Question 10a.** Two ways lead to that shape: your `nhwc_to_nchw`, and a `reshape`. What does channel 0 look like
# after each?

# %% [markdown]
# **Your prediction:** *what will the reshaped channel show?*

# %%
with experiment():
    pixels = torch.from_numpy(chelsea)[None]
    right = convolution_torch.nhwc_to_nchw(pixels)
    wrong = pixels.reshape(1, 3, 120, 160)
    back = convolution_torch.nchw_to_nhwc(right)

    figure, grid = plt.subplots(1, 3, figsize=(7.5, 2.3))
    picture(grid[0], back[0], f"there and back\n{tuple(back.shape)}")
    picture(grid[1], right[0, 0], f"channel 0, nhwc_to_nchw\n{tuple(right.shape)}")
    picture(grid[2], wrong[0, 0], f"channel 0, reshape\n{tuple(wrong.shape)}")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - After `nhwc_to_nchw` channel 0 is what it should be: how red each pixel is.
# - `reshape` fills the new shape with the numbers in the order in which they lie in memory: red, green and blue of the
#   first pixel, then of the second. What it calls channel 0 is the upper third of the picture, in all three colours at
#   once, with each row of pixels cut into three rows.
# - Both have the shape that was asked for. Nothing complained.
#
# </details>

# %% [markdown]
# **Question 10b.** A film of 40 frames of 40×60 pixels comes as (1, 40, 60, 40): channels last, a channel for each
# frame. As many channels as rows, $C = H$. We feed it to your `Conv2d` as (1, 40, 40, 60), obtained in three ways:
# `nhwc_to_nchw`, `reshape`, and swapping the last two axes. The layer takes the mean of all channels. Which of the
# three make PyTorch complain?

# %% [markdown]
# **Your prediction:** *which complain, and what do the three outputs show?*

# %%
film = torch.from_numpy(np.stack([camera[60:100, 60 + c : 120 + c] for c in range(40)], axis=-1)).float()[None]

with experiment():
    ways = {
        "nhwc_to_nchw": convolution_torch.nhwc_to_nchw(film),
        "reshape": film.reshape(1, 40, 40, 60),
        "last two axes swapped": film.transpose(2, 3),
    }
    layer = convolution_torch.Conv2d(40, 1, kernel_size=1, bias=False)
    layer.load_state_dict({"weight": torch.full((1, 40, 1, 1), 1 / 40)})

    figure, grid = plt.subplots(2, 3, figsize=(7.5, 3.8))
    for (title, x), above, below in zip(ways.items(), *grid, strict=True):
        y = layer(x).detach()
        picture(above, x[0, 0], f"{title}\ninput {tuple(x.shape)}")
        picture(below, y[0, 0], f"output {tuple(y.shape)}")
    grid[0, 0].set_ylabel("channel 0")
    grid[1, 0].set_ylabel("mean of channels")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - No one complains. All inputs have one shape, all outputs too, and a training loop would happily run on each of them.
# - Only `nhwc_to_nchw` gives frames, and their mean is what a camera sees when it pans during the exposure.
# - With the last two axes swapped, "channel 0" is the top row of the film, one line for each frame: you see time run
#   downwards. The layer then averages rows of the picture where you wanted frames.
# - With $C \ne H$ the swap would have failed at once. So test with axes of different lengths, and look at your data
#   after every change of axes. A picture takes a second.
#
# </details>

# %% [markdown]
# Last, what the header of `convolution.py` promises for all its functions:

# %%
grader.check("conventions")

# %% [markdown]
# ---
# ## Hand in
#
# The cell below writes `submission.zip` with your two files (save them first). If they import modules of your own, add
# those to the list.

# %%
grader.export(
    "lab.ipynb",
    export_path="submission.zip",
    pdf=False,
    files=["convolution.py", "convolution_torch.py"],
)
