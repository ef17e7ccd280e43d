# %% [markdown]
# # Lab 3 · LeNet-5
#
# You will train a network with your own NumPy, look inside it, push its input about, and then break it on purpose to
# see whether anybody notices.
#
# As in the other labs: a **question**, your **prediction**, code that calls *your* modules, a plot, and what there is
# to notice. Write the prediction down before you run the cell. A wrong one is worth more than none.
#
# - Your functions live in `lenet5.py` and `lenet5_torch.py`, not here. Edit and save them, then run a cell again: the
#   change is picked up by itself.
# - An experiment whose exercise is not written yet says so and is skipped. **Run all cells** whenever you like.
# - `grader.check("flatten")` runs the visible tests of an exercise, the same as `python -m pytest tests/flatten.py`.
# - The lab is not graded. The whole of it computes for less than a minute; experiments 7, 9, 10 and 11 train networks.

# %% [markdown]
# The first line below lets NumPy and PyTorch compute with one thread: these networks are so small that several threads
# would mostly wait for each other.

# %%
# %env OMP_NUM_THREADS=1
# %load_ext autoreload
# %autoreload 2
import functools
from unittest import mock

import lenet5
import lenet5_torch
import matplotlib.pyplot as plt
import numpy as np
import torch
from labkit import Grader, experiment, picture
from provided import conv2d_forward

plt.style.use("course.mplstyle")
grader = Grader("lab.ipynb")

with np.load("data/digits.npz") as digits:
    images, y = digits["images"], digits["labels"].astype(np.int64)
x = np.pad(images[:, None] / 255, ((0, 0), (0, 0), (2, 2), (2, 2)))  # (5000, 1, 32, 32), paper 0, ink 1
TRAIN, TEST = 4000, np.arange(4000, 5000)  # the last thousand digits are never trained on

# %% [markdown]
# The digits are real: 5 000 of MNIST, written by employees of the US Census Bureau and by high-school students,
# collected by NIST, and made into a benchmark by Yann LeCun and Corinna Cortes (CC BY-SA 3.0). They are 28×28; two rows
# and columns of paper on each side make them 32×32.

# %% [markdown]
# ---
# ## §1 Pooling
#
# Write the two poolings and `min_pool_zero_fraction`, and check them.

# %%
grader.check("max_pool_forward")

# %%
grader.check("avg_pool_forward")

# %%
grader.check("min_pool_zero_fraction")

# %% [markdown]
# ### Experiment 1 · Three ways to shrink a feature map
#
# A filter has found the left-hand borders of a digit's strokes, and a ReLU has dropped the rest. Now each window of
# 2×2, or 4×4, becomes one number.
#
# **Question.** What is left of the strokes after max, average and min pooling? And which fraction of the outputs of min
# pooling is zero, if the feature map was noise, half of it positive? Neighbours in a real feature map are alike: does
# that help?

# %% [markdown]
# **Your prediction:** *2×2: … %, 3×3: … %. With neighbours that are alike: more zeros, or fewer?*

# %%
border = np.repeat([[-1.0, -1.0, 0.0, 1.0, 1.0]], 5, axis=0)[None, None] / 10

three = x[y == 3][:1]


def edges(x: np.ndarray) -> np.ndarray:
    """Where strokes begin, seen from the left: one filter, then ReLU."""
    return np.maximum(conv2d_forward(x, border, np.zeros(1)), 0)


def maps(axes: np.ndarray, arrays: list[np.ndarray], titles: list[str]) -> None:
    """Show feature maps side by side, all on one scale of colours."""
    for place, array, title in zip(axes, arrays, titles, strict=True):
        picture(place, array, title, signed=max(np.abs(a).max() for a in arrays))


with experiment():
    features = edges(three)
    figure = plt.figure(figsize=(7.5, 3.3))
    left, right = figure.subfigures(1, 2, width_ratios=[1.6, 1])
    for k, row in zip((2, 4), left.subplots(2, 4), strict=True):
        smallest = -lenet5.max_pool_forward(-features, k)
        pooled = [lenet5.max_pool_forward(features, k), lenet5.avg_pool_forward(features, k), smallest]
        maps(row, [features[0, 0], *(p[0, 0] for p in pooled)], ["features", "max", "average", "min"])
        row[2].set_xlabel(f"windows of {k}×{k}")
        if k == 2:
            picture(row[0], 255 * three[0, 0], "the digit")

    rng, sizes = np.random.default_rng(0), [1, 2, 3, 4, 5, 6]
    noise = rng.standard_normal((100, 1, 64, 64))
    smooth = conv2d_forward(noise, np.ones((1, 1, 5, 5)) / 5, np.zeros(1))
    curve = right.subplots()
    for name, maps_before_relu, style in (("noise", noise, "o-"), ("smooth noise", smooth, "s--")):
        curve.plot(sizes, [lenet5.min_pool_zero_fraction(maps_before_relu, k) for k in sizes], style, label=name)
    curve.set(title="zeros after min pooling", xlabel="side k of the window", ylabel="fraction", ylim=(0.45, 1.02))
    curve.legend(loc="lower right")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Min pooling eats the strokes from both sides. What it says is "here *everything* is bright", and few places are.
# - On noise $1 - 2^{-k^2}$ of the outputs are zero, because all $k^2$ pixels have to be positive: 94 % at 2×2, 99.8 %
#   at 3×3. Nearly all, as one reads, but not all; and where neighbours agree, as in a real map, far from all.
# - Average pooling keeps the strokes but paler, and the paler the larger the window. Look again at the picture, though:
#   it is far from useless. It is a box filter followed by taking every $k$-th pixel, and you know both from assignment
#   1. The last experiment lets the two poolings compete.
#
# </details>

# %%
grader.check("max_pool_backward")

# %%
grader.check("avg_pool_backward")

# %% [markdown]
# ### Experiment 2 · Who gets the gradient?
#
# **Question.** Every output of a pooling layer receives the gradient 1. Windows of 2×2 stand side by side; windows of
# 3×3 with stride 2 overlap. Which pixels get something, and what is the most that one pixel can get?

# %% [markdown]
# **Your prediction:** *the most for 2×2: …; for 3×3 with stride 2: …*

# %%
with experiment():
    features = edges(three)
    figure, grid = plt.subplots(2, 4, figsize=(7.5, 4.2))
    for row, (k, stride) in zip(grid, ((2, 2), (3, 2)), strict=True):
        ones = np.ones_like(lenet5.max_pool_forward(features, k, stride=stride))
        largest = lenet5.max_pool_backward(ones, features, k, stride=stride)
        average = lenet5.avg_pool_backward(ones, features, k, stride=stride)
        picture(row[0], features[0, 0], f"features\n{k}×{k}, stride {stride}", signed=features.max())
        shown = (largest, "max pooling"), (average, "average pooling"), (largest * (features > 0), "max, then ReLU")
        for axes, (gradient, title) in zip(row[1:], shown, strict=True):
            picture(axes, gradient[0, 0], f"{title}\ndarkest: {gradient.max():.2g}", signed=gradient.max())
            axes.set_xlabel(f"sum {gradient.sum():.0f}, {(gradient == 0).mean():.0%} zeros", fontsize=9)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Both poolings hand on all that they receive: the sums are equal, one for each window. Max pooling gives it to one
#   pixel, average pooling to everyone a little. That is the whole difference. (28 is even, so no window of 3×3 reaches
#   the last row and column: they get nothing.)
# - Where windows overlap, a pixel can win up to **four** of them, and collects from all it wins. Code that assigns
#   (`=`) where it should add (`+=`) passes every test without overlaps.
# - In the empty background all pixels of a window are 0: a tie. Your code chose somebody; PyTorch may choose somebody
#   else, and both are right. On the way back it makes no difference here, as the last column shows: the ReLU that
#   stands before the pooling stops what arrives at a pixel that was not positive.
#
# </details>

# %% [markdown]
# ---
# ## §2 Linear layers
#
# Three short ones. They have no experiment of their own; you will meet them again in §6.

# %%
grader.check("flatten")

# %%
grader.check("linear_forward")

# %%
grader.check("linear_backward")

# %% [markdown]
# ---
# ## §3 Equivariance and invariance
#
# Write the shift and the two instruments that measure what it does, and check them.

# %%
grader.check("shift_image")

# %%
grader.check("equivariance_error")

# %%
grader.check("invariance_rate")

# %% [markdown]
# ### Experiment 3 · How far does a border reach?
#
# "Convolution is equivariant": move the input by two pixels, and the output moves by two. We test it on digits in black
# on white: paper is 1 here, so that something happens at the borders. Four networks of 5×5 convolutions with ReLU: one
# layer or three, without padding or with two zeros on each side.
#
# **Question.** How many pixels have to be cropped from the output before the error is 0?

# %% [markdown]
# **Your prediction:** *one layer: …; three layers: … without padding, … with padding.*


# %%
def convolutions(depth: int, padding: int):
    """A network of ``depth`` 5×5 convolutions with ReLU, its weights drawn once."""
    rng = np.random.default_rng(1)
    layers = [(rng.standard_normal((8, 1 if i == 0 else 8, 5, 5)) / 5, rng.standard_normal(8)) for i in range(depth)]

    def network(x: np.ndarray) -> np.ndarray:
        for w, b in layers:
            x = np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
            x = np.maximum(conv2d_forward(x, w, b), 0)
        return x

    return network


with experiment():
    paper, margins = 1 - x[:5], np.arange(9)
    figure, axes = plt.subplots(figsize=(7.5, 3))
    for depth, padding, style, size in ((1, 0, "C0o-", 11), (3, 0, "C0o--", 8), (1, 2, "C1s-", 5), (3, 2, "C1s--", 5)):
        network = convolutions(depth, padding)
        errors = [lenet5.equivariance_error(network, paper, (0, 2), margin=int(m)) for m in margins]
        label = f"{depth} layer{'s' * (depth > 1)}, padding {padding}"
        axes.semilogy(margins, np.maximum(errors, 1e-17), style, label=label, markersize=size, fillstyle="none")
    axes.set(xlabel="cropped pixels (margin)", ylabel="equivariance error", title="Images moved right by 2 pixels")
    axes.legend(loc="center right")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Away from the borders the errors are those of the last digit ($10^{-16}$): equivariance is exact, ReLU and biases
#   included.
# - Two pixels at the border are always wrong: what moved in there was not in the picture before.
# - **Without padding** it stays at two, however deep the network. **With zero padding** each layer sees a false edge
#   where the paper ends, and adds two more wrong pixels: six after three layers. A network can use this to find out
#   *where* something is, which an equivariant one cannot know.
#
# </details>

# %% [markdown]
# ### Experiment 4 · A digit takes a walk
#
# Now with pooling. After one 2×2 pooling an output pixel stands for two input pixels, so an even shift by $s$ should
# move the output by $s/2$. Between two poolings LeNet-5 has another convolution.
#
# **Question.** A digit moves by 0, 1, 2, … 8 pixels. For which shifts does the output of each network move along, with
# no error? (For shifts that the grid of the output cannot follow, we compare with the nearer of its two neighbours.)

# %% [markdown]
# **Your prediction:** *one pooling: …; two poolings: …*


# %%
def pooled(layers: int, pool: int = 2):
    """Convolution, ReLU and max pooling, once or twice, as in LeNet-5; weights drawn once, no biases."""
    rng = np.random.default_rng(2)
    weights = [rng.standard_normal((4, 1 if i == 0 else 4, 5, 5)) / 5 for i in range(layers)]

    def network(x: np.ndarray) -> np.ndarray:
        for w in weights:
            x = lenet5.max_pool_forward(np.maximum(conv2d_forward(x, w, np.zeros(4)), 0), pool)
        return x

    return network


def nearest_error(network, x: np.ndarray, shift: int, stride: int) -> float:
    """The equivariance error; off the grid, that of the better of the two neighbouring shifts of the output."""
    if shift % stride == 0:
        return lenet5.equivariance_error(network, x, (0, shift), stride=stride)
    after, before = network(lenet5.shift_image(x, 0, shift)), network(x)
    candidates = [lenet5.shift_image(before, 0, move) for move in (shift // stride, shift // stride + 1)]
    return min(np.abs(after - c).max() / np.abs(c).max() for c in candidates)


with experiment():
    wide = np.pad(x[:20], ((0, 0), (0, 0), (4, 4), (8, 16)))  # room to walk
    shifts = range(9)
    figure, axes = plt.subplots(figsize=(7.5, 2.9))
    networks = {
        "convolution": (pooled(1, pool=1), 1, "C0o-"),
        "one group, stride 2": (pooled(1), 2, "C1s-"),
        "two groups, stride 4": (pooled(2), 4, "C2^-"),
    }
    for name, (network, stride, style) in networks.items():
        axes.plot(shifts, [nearest_error(network, wide, s, stride) for s in shifts], style, label=name)
    axes.set(xlabel="shift (pixels)", ylabel="equivariance error", ylim=(-0.05, 1.3), xticks=shifts)
    axes.legend(loc="upper center", ncols=3)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Convolution follows every step. With one pooling only every second shift is followed exactly, and with two poolings
#   every **fourth**. Equivariance is a property of the whole grid, and each stride makes the grid coarser.
# - Off the grid the error is not a small one.
# - "The convolution makes the network equivariant, the pooling makes it robust" is too short: the pooling is also what
#   *breaks* the equivariance.
#
# </details>

# %% [markdown]
# ### Experiment 5 · Moves that nobody sees
#
# Max pooling is said to be invariant to small shifts. Pictures of 1, 2, 5 or 20 bright pixels on black move by one
# pixel; so do real digits.
#
# **Question.** In which fraction of the pictures does the *whole* pooled map stay the same, for windows of 2×2, 4×4 and
# of the whole picture?

# %% [markdown]
# **Your prediction:** *one bright pixel: 2×2 …, 4×4 …; a digit: 2×2 …*

# %%
with experiment():
    rng, counts = np.random.default_rng(0), [1, 2, 5, 20]
    worlds = {f"{count} bright": np.zeros((400, 1, 32, 32)) for count in counts}
    for count, pictures in zip(counts, worlds.values(), strict=True):
        for image in pictures:
            place = rng.choice(28 * 28, count, replace=False)
            image[0, 2 + place // 28, 2 + place % 28] = rng.uniform(0.5, 1, count)
    worlds["digits"] = x[TEST[:400]]

    neighbours = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    figure, axes = plt.subplots(figsize=(7.5, 2.9))
    for offset, k in enumerate((2, 4, 32)):
        pool = functools.partial(lenet5.max_pool_forward, kernel_size=k)
        rates = [lenet5.invariance_rate(pool, pictures, neighbours).mean() for pictures in worlds.values()]
        bars = axes.bar(np.arange(len(rates)) + 0.27 * (offset - 1), rates, 0.25, label=f"windows of {k}×{k}")
        axes.bar_label(bars, [f"{rate:.2f}" for rate in rates], fontsize=8)
    axes.set_xticks(range(len(worlds)), worlds)
    axes.set(ylabel="unchanged", ylim=(0, 1.25))
    axes.grid(axis="x", visible=False)
    axes.legend(loc="upper center", ncols=3)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - One bright pixel in a 2×2 window stays inside in half of its moves, in a 4×4 window in three quarters.
# - Every bright pixel has to be lucky at the same time: the rates multiply, and for digits nothing is left. Pooling is
#   not invariant to a shift. It *dampens* its effect, which is worth something but less than the word promises.
# - One window over the whole picture is invariant, as long as nothing leaves it. But then it cannot tell a 6 from a 9.
#
# </details>

# %% [markdown]
# ---
# ## §4 Counting parameters
#
# Write the three counts, and check them.

# %%
grader.check("parameter_table")

# %%
grader.check("dense_parameter_count")

# %%
grader.check("locally_connected_parameter_count")

# %% [markdown]
# ### Experiment 6 · What do fewer parameters buy?
#
# A teacher has a secret 5×5 kernel and a bias, and shows images of 12×12 noise with its responses, 8×8. Three pupils
# fit their weights by least squares: a **dense** one, a **locally connected** one, and a **convolution**.
#
# **Question 6a.** How many images does each need until it answers correctly for images that it has not seen? You can
# *compute* it from your counts. **Question 6b.** In all lessons the left half of the images was black. Then the exam
# comes with full images. Who passes?

# %% [markdown]
# **Your prediction:** *dense …, locally connected …, convolution … images; with the left half black: …*

# %%
WINDOW, IN, OUT = 5, (1, 12, 12), (1, 8, 8)


def windows(x: np.ndarray) -> np.ndarray:
    """All windows of the images as vectors, with a one for the bias: (N, 64, 26)."""
    views = np.lib.stride_tricks.sliding_window_view(x, (WINDOW, WINDOW), axis=(1, 2)).reshape(len(x), 64, 25)
    return np.concatenate([views, np.ones((len(x), 64, 1))], axis=2)


def answers(pupil: str, lessons: np.ndarray, right: np.ndarray, exam: np.ndarray) -> np.ndarray:
    """Fit a pupil to lessons (n, 12, 12) and their right answers (n, 64), and let it answer the exam."""
    if pupil == "dense":
        a, b = (np.pad(part.reshape(len(part), -1), ((0, 0), (0, 1)), constant_values=1) for part in (lessons, exam))
        return b @ np.linalg.lstsq(a, right)[0]
    a, b = windows(lessons), windows(exam)
    if pupil == "convolution":
        return b @ np.linalg.lstsq(a.reshape(-1, 26), right.ravel())[0]
    weights = [np.linalg.lstsq(a[:, place], right[:, place])[0] for place in range(64)]
    return np.einsum("npk,pk->np", b, weights)


with experiment():
    needed = {
        "dense": lenet5.dense_parameter_count(IN, OUT) / 64,
        "locally connected": lenet5.locally_connected_parameter_count(IN, OUT, WINDOW) / 64,
        "convolution": (WINDOW * WINDOW + 1) / 64,
    }
    rng = np.random.default_rng(0)
    secret, noise = rng.standard_normal(26), rng.standard_normal((400, 12, 12))
    exam = noise[200:]
    amounts = [1, 2, 5, 10, 20, 25, 26, 30, 50, 100, 140, 144, 145, 150, 200]
    figure, pair = plt.subplots(1, 2, figsize=(7.5, 3.2), sharey=True)
    for axes, title, hidden in ((pair[0], "full images", 0), (pair[1], "left half black in the lessons", 6)):
        lessons = noise[:200].copy()
        lessons[:, :, :hidden] = 0
        for (pupil, count), style in zip(needed.items(), ("o-", "s-", "^-"), strict=True):
            errors = [
                np.std(answers(pupil, lessons[:n], windows(lessons[:n]) @ secret, exam) - windows(exam) @ secret)
                for n in amounts
            ]
            axes.loglog(amounts, np.maximum(errors, 1e-16), style, markersize=4, label=f"{pupil}: {count:.3g}")
        axes.set(title=title, xlabel="images in the lessons")
    pair[0].set_ylabel("error in the exam")
    pair[0].legend(loc="center left", title="parameters for each output", title_fontsize=9)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Each image gives one equation for each output. The dense pupil has 145 unknowns for each output and needs 145
#   images; the locally connected one has 26 and needs 26. The convolution has 26 for *all* 64 outputs: one image is
#   more than enough.
# - Those are the two savings of §4, one after the other: **locality**, then **sharing**. Both are also assumptions.
#   They happen to be true of this teacher. For a teacher whose kernel changes from place to place, the convolution
#   would be wrong with any number of images.
# - On the right, 200 images do not help two of the pupils: no weight learns where nothing ever happens. The convolution
#   has seen the pattern at one place, and so knows it at every place. That is what "parameter sharing" really buys.
#
# </details>

# %% [markdown]
# ---
# ## §5 LeNet-5
#
# Put the layers together, forward and backward.

# %%
grader.check("lenet5_forward")

# %%
grader.check("lenet5_loss_and_gradients")

# %% [markdown]
# ---
# ## §6 Training

# %%
grader.check("sgd_momentum_step")

# %%
grader.check("train")

# %% [markdown]
# ### Experiment 7 · Your own network learns to read
#
# 4 000 digits, three epochs, batches of 32, momentum 0.9, learning rate 0.01 and in the last epoch a tenth of it. All
# that computes here is yours, except for the convolution, which `provided.py` holds. It takes about ten seconds.
#
# **Question.** The network has ten classes and has learned nothing yet: about how large is the first loss? How many of
# 1 000 digits that it has never seen will it read correctly after one epoch, and after three?

# %% [markdown]
# **Your prediction:** *first loss …; after one epoch … %, after three … %*


# %%
def initial(seed: int) -> dict[str, np.ndarray]:
    """He's initialization, as in assignment 2, and biases of zero."""
    rng = np.random.default_rng(seed)
    shapes = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}
    params = {}
    for layer, shape in shapes.items():
        params[f"{layer}.weight"] = rng.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))
        params[f"{layer}.bias"] = np.zeros(shape[0])
    return params


def predictions(params: dict[str, np.ndarray], x: np.ndarray) -> np.ndarray:
    return np.concatenate([lenet5.lenet5_forward(params, part).argmax(axis=1) for part in np.array_split(x, 4)])


@functools.cache
def trained() -> tuple[dict[str, np.ndarray], np.ndarray, list[float]]:
    """Parameters, the loss of each step, and the accuracy after each epoch. Run this cell again to train again."""
    rng, params, losses, accuracies = np.random.default_rng(0), initial(0), [], []
    for lr in (0.01, 0.01, 0.001):
        batches = rng.permutation(TRAIN).reshape(-1, 32)
        params, part = lenet5.train(params, x, y, batches, lr=lr)
        losses.append(part)
        accuracies.append(float(np.mean(predictions(params, x[TEST]) == y[TEST])))
    return params, np.concatenate(losses), accuracies


# %%
with experiment():
    params, losses, accuracies = trained()
    read = predictions(params, x[TEST])
    wrong = np.flatnonzero(read != y[TEST])[:9]

    figure = plt.figure(figsize=(7.5, 4.2))
    above, below = figure.subfigures(2, 1, height_ratios=[1.9, 1])
    loss, accuracy = above.subplots(1, 2)
    loss.plot(losses, color="0.75", linewidth=0.8)
    loss.plot(np.arange(24, len(losses)), np.convolve(losses, np.ones(25) / 25, "valid"), label="mean of 25")
    loss.plot(0, losses[0], "o", color="C1", label=f"the first: {losses[0]:.2f}")
    loss.axhline(np.log(10), color="0.4", linewidth=0.9, linestyle=":", label="ln 10")
    loss.set(title=f"loss; last epoch {losses[-125:].mean():.3f}", xlabel="step", ylim=(0, 1.05 * losses.max()))
    loss.legend()
    accuracy.plot(range(1, 4), accuracies, "o-")
    for epoch, value in enumerate(accuracies, start=1):
        accuracy.annotate(f"{value:.1%}", (epoch, value), (0, -14), textcoords="offset points", ha="center")
    accuracy.set(
        title="accuracy on 1 000 unseen digits", xlabel="epoch", xticks=range(1, 4), xlim=(0.6, 3.4), ylim=(0.85, 1)
    )
    below.suptitle("some of its mistakes: what it read, and the truth", fontsize=10)
    for axes, i in zip(below.subplots(1, 9), wrong, strict=False):
        picture(axes, 255 * x[TEST[i], 0], f"{read[i]} ({y[TEST[i]]})")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Equal probabilities cost $\ln 10 = 2.30$. The first loss is larger (2.4 to 4, depending on the draw): random logits
#   are not equal, so the network is sure of itself without knowing anything. A first loss of 30, or of 0.1, would tell
#   you that something is wrong before you have waited for anything.
# - Most is learned in the first epoch. After it 88 to 93 % are right, after three epochs 94 to 96 % (five draws); if
#   yours are not, something is wrong in your code, even if all its shapes are right.
# - The loss of single batches jumps about, and the accuracy with it. In the last epoch the short steps stop the
#   jumping: this is why the learning rate is lowered at the end.
# - How many of the mistakes would you have made yourself?
#
# </details>

# %% [markdown]
# ### Experiment 8 · What has it learned?
#
# **Question.** What do the six filters of the first layer look like before and after training? Which of them have
# become the edge detectors of assignment 1? And what does a digit look like to the second layer?

# %% [markdown]
# **Your prediction:** *describe the filter you expect to see most often.*

# %%
with experiment():
    params, before = trained()[0], initial(0)
    one = x[TEST[:1]]
    first = np.maximum(conv2d_forward(one, params["conv1.weight"], params["conv1.bias"]), 0)
    second = conv2d_forward(lenet5.max_pool_forward(first, 2), params["conv2.weight"], params["conv2.bias"])
    deep = lenet5.max_pool_forward(np.maximum(second, 0), 2)

    figure = plt.figure(figsize=(7.5, 6.2))
    parts = figure.subfigures(4, 1, height_ratios=[1, 1, 1.1, 1.3])
    rows = [part.subplots(1, 6) for part in parts[:3]]
    contents = before["conv1.weight"], params["conv1.weight"], first[0, :, None]
    titles = "conv1 before training", "conv1 after training", "what each of them finds in a digit (after ReLU)"
    for part, row, content, title in zip(parts, rows, contents, titles, strict=False):
        maps(row, [kernel[0] for kernel in content], [""] * 6)
        part.suptitle(title, fontsize=10)
    parts[3].suptitle("and the 16 maps of 5×5 that the linear layers receive", fontsize=10)
    maps(parts[3].subplots(2, 8).ravel(), list(deep[0]), [""] * 16)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Textbook edge detectors are not what you see. After three epochs the filters still resemble their random start: they
#   have been *bent* by training, not made by it. Some have a light and a dark side, and find strokes from one side
#   only.
# - Random filters are not bad filters: they react to edges as well, and the layers above sort them out. Experiment 10
#   shows how far one gets with a first layer that never learns.
# - The 5×5 maps are hard to read for us. The network reads nothing else.
#
# </details>

# %% [markdown]
# ### Experiment 9 · The digit walks out of its place
#
# In the data all digits stand in the middle. We move the test digits to the right, by up to eight pixels.
#
# **Question.** Convolutions are equivariant, and poolings forgive a little. How does the accuracy fall? And what
# happens after 100 more steps of training, on digits that were moved at random?

# %% [markdown]
# **Your prediction:** *with 2 pixels … %, with 4 … %, with 8 … %*

# %%
with experiment():
    params, rng = trained()[0], np.random.default_rng(1)
    some, walk = rng.choice(TRAIN, 3200, replace=False), [0, 1, 2, 3, 4, 6, 8]
    moved = np.stack([lenet5.shift_image(x[i], 0, int(rng.integers(-8, 9))) for i in some])
    practised, _ = lenet5.train(params, moved, y[some], np.arange(3200).reshape(100, 32), lr=0.01)

    figure, axes = plt.subplots(figsize=(7.5, 2.8))
    quiz = TEST[:250]
    for name, network, style in (("as trained", params, "o-"), ("after practice with moved digits", practised, "s--")):
        rates = [np.mean(predictions(network, lenet5.shift_image(x[quiz], 0, s)) == y[quiz]) for s in walk]
        axes.plot(walk, rates, style, label=name)
    axes.axhline(0.1, color="0.4", linewidth=0.9, linestyle=":")
    axes.set(xlabel="moved right by (pixels)", ylabel="accuracy, 250 digits", ylim=(0, 1.05))
    axes.legend(loc="lower left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - One pixel costs 2 to 4 points, two cost 10 to 19, four 46 to 58 (five trainings). At eight the network is guessing
#   (the dotted line).
# - All layers up to the second pooling are nearly equivariant: their maps move along. But then `flatten` gives every
#   *place* its own weights, and `fc1` has never seen strokes at the right border. It is the left-half-black pupil of
#   experiment 6.
# - 100 steps with moved digits cure most of it: with 8 pixels 75 to 82 % are read. They cost 2 to 9 points in the
#   middle. What the architecture does not give, the data must.
#
# </details>

# %% [markdown]
# ### Experiment 10 · It learns, so it is right?
#
# Four backward passes, three of them wrong: one spreads the gradient of max pooling evenly over the window, one forgets
# the gradients of all biases, and one never trains the first layer. (The first works by replacing your
# `max_pool_backward`, and shows only if your network calls it.)
#
# **Question.** Each trains for 75 steps on 800 digits, from the same start. How much worse do the wrong ones read?

# %% [markdown]
# **Your prediction:** *the correct one: … %; the three others: …*

# %%
honest = lenet5.lenet5_loss_and_gradients


def spread(dy, x, kernel_size, **options):
    return lenet5.avg_pool_backward(dy, x, kernel_size)


def without(part: str):
    """Gradients in which all parameters whose names contain ``part`` get zeros."""

    def spoiled(params, x, target):
        loss, grads = honest(params, x, target)
        return loss, {name: 0 * g if part in name else g for name, g in grads.items()}

    return spoiled


VARIANTS = {
    "correct": {"lenet5_loss_and_gradients": honest},
    "max pooling spreads": {"max_pool_backward": spread},
    "no gradient for biases": {"lenet5_loss_and_gradients": without("bias")},
    "conv1 never learns": {"lenet5_loss_and_gradients": without("conv1")},
}


def disagreement(params: dict[str, np.ndarray], name: str) -> float:
    """How far the slope along one random direction of one parameter is from what the gradient says, relatively."""
    direction, h = np.random.default_rng(0).standard_normal(params[name].shape), 1e-6
    said = np.sum(lenet5.lenet5_loss_and_gradients(params, x[:3], y[:3])[1][name] * direction)
    above, below = (honest({**params, name: params[name] + s * direction}, x[:3], y[:3])[0] for s in (h, -h))
    slope = (above - below) / (2 * h)
    return abs(said - slope) / abs(slope)


# %%
with experiment():
    steps = np.random.default_rng(0).permuted(np.tile(np.arange(800), (3, 1)), axis=1).reshape(-1, 32)
    names, rates, checks = list(initial(0)), [], []
    for patches in VARIANTS.values():
        with mock.patch.multiple(lenet5, **patches):
            params, losses = lenet5.train(initial(1), x, y, steps, lr=0.01)
            checks.append([disagreement(params, name) for name in names])
        rates.append(np.mean(predictions(params, x[TEST[:500]]) == y[TEST[:500]]))

    figure, (bars, table) = plt.subplots(1, 2, figsize=(7.5, 3), width_ratios=[1, 1.25], sharey=True)
    bars.barh(list(VARIANTS), rates, color=["C2", "C1", "C1", "C1"], alpha=0.6)
    for row, rate in enumerate(rates):
        bars.text(0.03, row, f"{rate:.1%}", va="center")
    bars.set(title="accuracy, 500 unseen digits", xlim=(0, 1))
    bars.invert_yaxis()
    table.imshow(np.array(checks) > 1e-4, cmap="PuOr_r", vmin=-2, vmax=2, aspect="auto")
    for (row, column), value in np.ndenumerate(checks):
        table.text(column, row, "✗" if value > 1e-4 else "✓", ha="center", va="center")
    table.set_xticks(range(10), names, rotation=60, ha="right")
    table.set_title("does the gradient agree with the slope?")
    table.grid(visible=False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - All four learn to read. In ten seeds the wrong ones were between 7 points behind the correct one and 3 points ahead
#   of it, and in four of the ten at least one was ahead: nobody could tell from the accuracy. A wrong gradient that
#   points roughly downhill trains a network, and the other layers make up for the rest.
# - The gradient check finds all three at once, and tells where. A wrong pooling spoils everything that lies *before* it
#   and nothing after it: read the table from right to left, as the gradient flows.
# - So "it trains" proves nothing about a backward pass. This is why your code is graded by its gradients, layer by
#   layer.
#
# </details>

# %% [markdown]
# ---
# ## §7 In PyTorch
#
# Write the second file, `lenet5_torch.py`, and check it.

# %%
grader.check("LeNet5")

# %%
grader.check("train_epoch")

# %%
grader.check("evaluate")

# %%
grader.check("load_parameters")

# %% [markdown]
# ### Experiment 11 · More digits or another pooling?
#
# PyTorch computes the same several times faster than your NumPy, so we can afford a tournament: max against average
# pooling, each trained with 50, 200 and 800 digits, always for 200 steps of Adam. A third network has the
# ingredients of the 1990s and today's recipe: sigmoid, average pooling, plain gradient descent.
#
# **Question.** Which matters more, the pooling or the number of digits? How far does the third one get?

# %% [markdown]
# **Your prediction:** *with 50 digits … %, with 800 … %; max is better by …; the third: … %*

# %%
device = "cuda" if torch.cuda.is_available() else "cpu"
x32, labels = torch.tensor(x, dtype=torch.float32), torch.tensor(y)


def variant(pool: type[torch.nn.Module], activation: type[torch.nn.Module]) -> torch.nn.Module:
    """The layers of your LeNet5, with another pooling or another activation between them."""
    net = lenet5_torch.LeNet5()
    convolutions = [net.conv1, activation(), pool(2), net.conv2, activation(), pool(2)]
    linear = [net.fc1, activation(), net.fc2, activation(), net.fc3]
    return torch.nn.Sequential(*convolutions, torch.nn.Flatten(), *linear)


def score(model: torch.nn.Module, size: int, optimizer: type[torch.optim.Optimizer], lr: float) -> float:
    """Train for 200 steps on the first ``size`` digits; return the accuracy on the unseen ones."""
    rng, model = np.random.default_rng(0), model.to(device)
    order = np.concatenate([rng.permutation(size) for _ in range(200 * 32 // size + 1)])
    batches = ((x32[part], labels[part]) for part in order[: 200 * 32].reshape(200, 32))
    lenet5_torch.train_epoch(model, batches, optimizer(model.parameters(), lr=lr), device)
    return lenet5_torch.evaluate(model, [(x32[TEST], labels[TEST])], device)[1]


# %%
with experiment():
    sizes, nn = [50, 200, 800], torch.nn
    entries = {
        "max pooling (your LeNet5)": (lenet5_torch.LeNet5, "o-"),
        "average pooling": (lambda: variant(nn.AvgPool2d, nn.ReLU), "s--"),
    }
    figure, axes = plt.subplots(figsize=(7.5, 3.1))
    for name, (build, style) in entries.items():
        torch.manual_seed(0)
        axes.semilogx(sizes, [score(build(), size, torch.optim.Adam, 2e-3) for size in sizes], style, label=name)
    torch.manual_seed(0)
    old = score(variant(nn.AvgPool2d, nn.Sigmoid), 800, torch.optim.SGD, 0.01)
    axes.plot(800, old, "C3^", markersize=8, label="sigmoid, average pooling, SGD")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set(xlabel="digits to learn from", ylabel="accuracy, 1 000 unseen digits", ylim=(0, 1.03))
    axes.legend(loc="lower left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - From 50 digits to 200 the accuracy rises by 13 to 19 points, from 200 to 800 by another 1 to 8 (five seeds, both
#   poolings). (With all 4 000, five times as many, it changed by −2 to +3: the 200 steps that all of them get are eight
#   rounds through 800 digits, and not two through 4 000. Add it to `sizes`.) With 50 digits the network sees each of
#   them 128 times and reads most others anyway.
# - Max pooling is ahead by 1 to 4 points, in each of the five seeds: a real advantage here, and a small one beside that
#   of more digits, as long as they are few. "Average pooling is obsolete" goes too far: today's networks often *end*
#   with one, over the whole map.
# - The third network has learned nothing at all: 10 % is guessing. The same architecture did very well in 1998. What
#   differs is everything around it (its sigmoid was a scaled tanh, its step sizes were tuned for each weight).
#   Assignment 2 told you why sigmoids stop the gradient of the first layers.
#
# </details>

# %% [markdown]
# Last, what the header of `lenet5.py` promises for all its functions:

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
    files=["lenet5.py", "lenet5_torch.py"],
)
