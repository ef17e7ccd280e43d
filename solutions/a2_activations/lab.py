# %% [markdown]
# # Lab 2 · Activations and normalization
#
# The handout says what is true. Here you find out whether you believe it.
#
# Every experiment has the same shape: a **question**, your **prediction**, code that calls *your* module, a plot, and
# what there is to notice. Write the prediction down before you run the cell, in a sentence or two, even if you guess.
# A wrong prediction is worth more than none: it tells you where your picture of things has a hole.
#
# - Your functions live in `activations.py` and `activations_torch.py`, not here. Edit and save them, then run a cell
#   again: the change is picked up by itself.
# - An experiment whose exercise is not written yet says so and is skipped. **Run all cells** whenever you like.
# - `grader.check("sigmoid")` runs the visible tests of an exercise, the same as `python -m pytest tests/sigmoid.py`.
# - The lab is not graded. Change it, break it, ask it questions of your own.

# %%
# %load_ext autoreload
# %autoreload 2
# One thread for each matrix product: ours are small, and several threads would mostly wait for one another.
# %env OMP_NUM_THREADS=1
from itertools import pairwise

import activations
import activations_torch
import matplotlib.pyplot as plt
import numpy as np
import torch
from labkit import Grader, experiment, picture, slider
from torch import nn

plt.style.use("course.mplstyle")
grader = Grader("lab.ipynb")
with np.load("data/digits.npz") as digits:
    images, labels = digits["images"], digits["labels"].astype(int)

# %% [markdown]
# 5 000 handwritten digits from MNIST (Yann LeCun and Corinna Cortes, CC BY-SA 3.0), 500 of each, in random order. We
# shrink them to 14×14, so that everything is quick, and standardize them: one mean and one deviation for all pixels.
# The first 4 000 are for training, the last 1 000 for testing.

# %%
small = images.reshape(5000, 14, 2, 14, 2).mean(axis=(2, 4))  # the mean of each 2×2 block
small = (small - small.mean()) / small.std()
pixels = small.reshape(5000, 196)

figure, grid = plt.subplots(1, 8, figsize=(7.5, 1.3))
for axes, image, label in zip(grid, images, labels, strict=False):
    picture(axes, 255 - image, str(label))

# %% [markdown]
# ---
# ## §1 Activations
#
# Write the four activations with their backward passes, and check them.

# %%
grader.check("sigmoid")

# %%
grader.check("sigmoid_backward")

# %%
grader.check("tanh")

# %%
grader.check("tanh_backward")

# %%
grader.check("relu")

# %%
grader.check("relu_backward")

# %%
grader.check("leaky_relu")

# %%
grader.check("leaky_relu_backward")

# %% [markdown]
# ### Experiment 1 · Affine is not linear, and three layers can be one
#
# A layer multiplies by a matrix and adds a bias: $Wx + b$. We stack three of them with random weights, 1 → 12 → 12 → 1,
# and draw the output $f(t)$ over the one input $t$.
#
# **Question.** What does the graph look like with nothing between the layers? With ReLU between them? With tanh? And
# is the stack without activations *linear* in the sense of assignment 1: is $f(s + t) = f(s) + f(t)$?

# %% [markdown]
# **Your prediction:** *double-click here and write it down before you run the cell.*


# %%
def stack(t: np.ndarray, activation) -> np.ndarray:
    """Three layers on each number of t, always with the same weights and biases."""
    rng = np.random.default_rng(7)
    h = t[:, None]
    for layer, (in_, out) in enumerate([(1, 12), (12, 12), (12, 1)]):
        if layer:
            h = activation(h)
        h = h @ rng.normal(scale=1.6 / np.sqrt(in_), size=(in_, out)) + rng.normal(size=out)
    return h[:, 0]


with experiment():
    t = np.linspace(-4, 4, 401)
    between = {
        "nothing": lambda h: h,
        "ReLU": activations.relu,
        "tanh": activations.tanh,
    }
    graphs = {name: stack(t, activation) for name, activation in between.items()}

    figure, (left, right) = plt.subplots(1, 2)
    for (name, graph), line in zip(graphs.items(), ("-", "-.", "--"), strict=True):
        left.plot(t, graph, line, label=name)
    left.set(title="Three layers, and between them …", xlabel="input t", ylabel="output f(t)")
    left.legend()

    def f(t: np.ndarray) -> np.ndarray:
        return stack(np.atleast_1d(t), between["nothing"])

    right.plot(t, f(1 + t) - f(1) - f(t), label="f(1 + t) − f(1) − f(t)")
    right.plot(t, f((1 + t) / 2) - (f(1) + f(t)) / 2, "--", label="f((1 + t) / 2) − (f(1) + f(t)) / 2")
    right.set(title="The stack without activations", xlabel="input t", ylabel="difference", ylim=(-1, 2))
    right.legend()
    print(f"f(0) = {f(0)[0]:.2f}")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Without activations three layers draw a straight line, and a hundred would too:
#   $W_2(W_1 x + b_1) + b_2 = (W_2 W_1) x + (W_2 b_1 + b_2)$ is *one* layer. Depth begins with the activation.
# - ReLU's graph consists of straight pieces. Each kink is the place where one unit switches. tanh draws smooth bends.
# - The first difference on the right is a constant, and not 0: it is $-f(0)$, because $f(s + t)$ contains the biases
#   once and $f(s) + f(t)$ twice. A layer with a bias is **affine, not linear**. (Assignment 1 had the same animal in
#   its zoo: the offset.)
# - The second one is 0: affine maps preserve midpoints, and all other averages. That is what "straight" means.
#
# </details>

# %% [markdown]
# ---
# ## §2 Saturation
#
# Write `saturation_point`, and check it.

# %%
grader.check("saturation_point")

# %% [markdown]
# ### Experiment 2 · Which one saturates first?
#
# **Question.** Sigmoid and tanh both go flat. Where does that begin? You could say "where the slope has fallen to 10 %
# of its largest", or "where the slope is below 0.01". Which of the two functions has the wider working range, and does
# the answer depend on how you ask?

# %% [markdown]
# **Your prediction:** *by which factor do the two ranges differ when you ask in the first way? And in the second?*


# %%
def slope_of(backward):
    """The derivative of an activation as a function from number to number."""
    return lambda x: float(backward(np.ones(1), np.array([x]))[0])


with experiment():
    slopes = {"sigmoid": slope_of(activations.sigmoid_backward), "tanh": slope_of(activations.tanh_backward)}
    fractions, absolute = np.geomspace(0.001, 1, 31), np.geomspace(0.001, 0.25, 31)

    figure, (left, right) = plt.subplots(1, 2, sharey=True)
    for (name, slope), line in zip(slopes.items(), ("-", "--"), strict=True):
        points = [activations.saturation_point(slope, fraction) for fraction in fractions]
        left.semilogx(100 * fractions, points, line, label=name)
        points = [activations.saturation_point(slope, limit / slope(0.0)) for limit in absolute]
        right.semilogx(absolute, points, line, label=name)
        questions = {"10 % of the largest": 0.1, "1 % of it": 0.01, "a slope of 0.01": 0.01 / slope(0.0)}
        found = (f"{question}: {activations.saturation_point(slope, part):.2f}" for question, part in questions.items())
        print(f"{name:>8}   " + "   ".join(found))
    left.set(title="Compared with its own largest slope", xlabel="slope / largest slope (%)")
    left.set(ylabel="saturated from x = … on")
    right.set(title="Compared with a fixed slope", xlabel="slope")
    left.legend()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - By any *relative* criterion tanh's range is **exactly half** of the sigmoid's. It has to be, since
#   $\tanh(x) = 2\sigma(2x) - 1$: tanh is a sigmoid, drawn twice as high and twice as fast.
# - By a *fixed* slope the two come closer, because tanh starts four times as steep. For slopes above 0.13 it even has
#   the wider range.
# - So "saturated from 4 on" says little without its criterion. When you compare two functions, use one criterion for
#   both.
# - And what is being lost? A chain of ten sigmoids multiplies ten slopes of at most $\frac{1}{4}$, and $4^{-10}$ is a
#   millionth, **without any saturation**. Experiment 8 comes back to it.
#
# </details>

# %% [markdown]
# ---
# ## §3 Signs and the zig-zag
#
# Write `sign_agreement` and `zigzag_descent`, and check them.

# %%
grader.check("sign_agreement")

# %%
grader.check("zigzag_descent")

# %% [markdown]
# ### Experiment 3 · All weights in one direction?
#
# A layer of ten neurons, one for each digit, receives 20 sigmoids: numbers between 0 and 1. For *one* sample the
# gradient for weight $i$ of neuron $j$ is $\delta_j x_i$ with $x_i > 0$, so all 20 weights of a neuron are pushed the
# same way. But a step is made from a whole batch, and the gradient is a sum. We try it on many batches of digits, each
# time with other random weights.
#
# **Question.** Which share of the neurons still has all its weights pushed the same way in batches of 8, of 64, of 512?
# And if the 20 inputs come from ReLU, or from tanh?

# %% [markdown]
# **Your prediction:** *three numbers for the sigmoid; what does its curve do in the end?*

# %%
with experiment():
    rng = np.random.default_rng(1)
    layers = {"sigmoid": activations.sigmoid, "ReLU": activations.relu, "tanh": activations.tanh}
    sizes = 2 ** np.arange(10)

    def drawn(out: int, in_: int) -> np.ndarray:
        """Weights as in the handout's figure. (You will meet this way of drawing them in §7.)"""
        return rng.uniform(-1, 1, size=(out, in_)) * np.sqrt(6 / (out + in_))

    figure, axes = plt.subplots()
    for (name, activation), line in zip(layers.items(), ("o-", "s--", "^-."), strict=True):
        shares = []
        for size in sizes:
            agreement = []
            for _ in range(60):
                first, second = drawn(20, 196), drawn(10, 20)
                chosen = rng.choice(5000, size, replace=False)
                h = activation(pixels[chosen] @ first.T)
                dy = activations.cross_entropy_backward(h @ second.T, labels[chosen])
                agreement.append(activations.sign_agreement(dy, h).mean())
            shares.append(100 * np.mean(agreement))
        axes.plot(sizes, shares, line, label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set(xlabel="batch size", ylabel="neurons that agree (%)", ylim=(-5, 105))
    axes.legend(title="20 inputs from")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - "All weights of a layer move in one direction" holds for **one neuron and one sample**. Different neurons have
#   different $\delta_j$, and in a batch samples contradict one another.
# - Yet the sigmoid's curve does not go to 0: it levels off. Write $x_i = m + e_i$ with a common mean $m$. Then the
#   gradient is $m \sum \delta + \sum \delta e_i$. Its first part is the same for all weights, and both parts grow alike
#   with the batch. Larger batches do not help; a smaller $m$ does.
# - Where it levels off depends on how the weights are drawn: at 42 to 45 % here (five seeds), near that in the
#   handout's figure, and at 31 to 36 % with normal numbers of deviation 0.1 in `first` and 0.2 in `second`. Try it.
# - ReLU's outputs are never negative either, but they spread more around their mean, and the zeros take no part.
# - With tanh hardly a neuron agrees, even in a batch of one.
#
# Subtract `h.mean(axis=0)` from `h` (in a batch of one that leaves nothing but zeros). Then make `first` ten times as
# large, or ten times as small. Where does the sigmoid's curve end, and why?
#
# </details>

# %% [markdown]
# ### Experiment 4 · The zig-zag, and how to iron it out
#
# Two weights are to be learned: the target is $y = x_1 - 0.6\, x_2$. The inputs scatter by 0.1 around a mean $m$. Each
# run takes the steps that suit it best: $2 / (\lambda_\text{min} + \lambda_\text{max})$, with the eigenvalues of
# $\frac{1}{N} X^\top X$.
#
# **Question.** One weight has to go up, the other down. What does the path look like for $m = 0$, for 0.2, for 0.5?

# %% [markdown]
# **Your prediction:** *sketch the three paths, and say how many times longer than the straight line they are.*

# %%
best = np.array([1.0, -0.6])
scatter = 0.1 * np.random.default_rng(2).standard_normal((400, 2))


def descend(m: float, steps: int = 60) -> tuple[np.ndarray, float, float]:
    """The path of the two weights, how crooked it is, and the condition number."""
    x = m + scatter
    smallest, largest = np.linalg.eigvalsh(x.T @ x / len(x))
    path, ratio = activations.zigzag_descent(x, x @ best, np.zeros(2), lr=2 / (smallest + largest), steps=steps)
    return path, ratio, largest / smallest


def draw(axes, m: float) -> np.ndarray:
    """Draw one path into axes, and return its distance from the best weights after each step."""
    path, ratio, condition = descend(m)
    axes.plot(*path.T, "o-", color="C1", markersize=3, linewidth=1)
    axes.plot(*path[0], "o", color="C6")
    axes.plot(*best, "*", color="C0", markersize=13)
    axes.set_title(f"m = {m:g}, κ = {condition:.3g},\npath {ratio:.1f} × the straight way", fontsize=9)
    axes.set(xlim=(-0.2, 1.2), ylim=(-0.8, 0.6), xlabel="weight 1", ylabel="weight 2", aspect="equal")
    axes.set(xticks=[0, 0.5, 1], yticks=[-0.5, 0, 0.5])
    return np.linalg.norm(path - best, axis=1)


with experiment():
    figure, grid = plt.subplots(1, 4, figsize=(9.5, 2.7), width_ratios=[1, 1, 1, 1.1])
    for axes, m, line in zip(grid, (0, 0.2, 0.5), ("-", "--", "-."), strict=False):
        grid[-1].semilogy(draw(axes, m), line, label=f"m = {m:g}")
    grid[-1].set_title("distance from\nthe best weights", fontsize=9)
    grid[-1].set(xlabel="step", ylim=(1e-6, 3))
    grid[-1].legend()
    plt.show()

    @slider(low=0, high=1, step=0.05, start=0.3)
    def slide(m: float) -> None:
        draw(plt.subplots(figsize=(4, 3.4))[1], m)
        plt.show()


# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot and the slider)</summary>
#
# - With $m = 0$ the loss is a round bowl: κ is near 1, the steps lead straight to the star. With $m = 0.5$ it is a
#   narrow valley along "one up, one down", and κ is about $1 + 2m^2/0.1^2 = 51$.
# - The first step moves both weights *together*, because both inputs are positive. It moves them *up*, because at 0
#   the output is too small: the mean of the targets is $0.4 m$. (With `best = np.array([-1.0, 0.6])` both go down.)
#   It is a long step in the steep direction and a short one along the valley, and so the path jumps from wall to wall.
# - The **conditioning** is the deeper cause. This is the whole batch of 400, not a single sample, and it zig-zags all
#   the same. Subtracting the mean cures it, with the same numbers and the same targets.
# - A smaller step would not jump. How long would it then take along the valley? Try `lr` at a tenth.
#
# </details>

# %% [markdown]
# ---
# ## §4 Softmax and cross-entropy
#
# Write the three functions with their backward passes, and check them.

# %%
grader.check("softmax")

# %%
grader.check("softmax_backward")

# %%
grader.check("log_softmax")

# %%
grader.check("log_softmax_backward")

# %%
grader.check("cross_entropy")

# %%
grader.check("cross_entropy_backward")

# %% [markdown]
# ### Experiment 5 · The worst mistake of all
#
# There are two classes. The right one gets the score 0, the wrong one the score $d$, in float32. The larger $d$, the
# worse the mistake, and the louder the gradient should call. Three ways to write the loss: yours; the logarithm of the
# softmax; and the same with $10^{-12}$ added, "to be safe".
#
# **Question.** At which $d$ do the second and the third way go wrong, and how will you notice during training?

# %% [markdown]
# **Your prediction:** *what does each loss say at d = 60? What does its gradient?*

# %%
with experiment(), np.errstate(all="ignore"):
    d = np.linspace(0, 130, 131, dtype=np.float32)
    scores = np.stack([0 * d, d], axis=1)
    right_class = np.zeros(1, int)
    p = activations.softmax(scores)

    losses = {"cross_entropy": [activations.cross_entropy(row[None], right_class) for row in scores]}
    slopes = {"cross_entropy": [activations.cross_entropy_backward(row[None], right_class)[0, 0] for row in scores]}
    for name, tiny in (("−log(softmax)", np.float32(0)), ("−log(softmax + 1e−12)", np.float32(1e-12))):
        losses[name] = -np.log(p[:, 0] + tiny)
        dp = np.stack([-1 / (p[:, 0] + tiny), 0 * d], axis=1)  # the chain rule, through the logarithm …
        slopes[name] = activations.softmax_backward(dp, p)[:, 0]  # … and through the softmax

    figure, (left, right) = plt.subplots(1, 2)
    for name, line, width in zip(losses, ("C5-", "C1--", "C6-."), (4, 1.6, 1.6), strict=True):
        for axes, curve in ((left, losses[name]), (right, slopes[name])):
            good = np.isfinite(curve)
            axes.plot(d[good], np.array(curve)[good], line, linewidth=width, label=name)
            if not good.all():
                last = good.argmin() - 1
                axes.plot(d[last], curve[last], "x", color=line[:2], markersize=9, markeredgewidth=2)
                what = "loss" if axes is left else "gradient"
                print(f"{name}: the {what} is infinite or NaN from d = {d[last + 1]:.0f} on")
    left.set(title="The loss", xlabel="d", ylabel="loss", ylim=(0, 150))
    left.legend(loc="upper left")
    right.set(title="The gradient for the right score", xlabel="d", ylabel="gradient")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The true loss grows like $d$, the true gradient goes to −1: whatever the mistake, the right score is pulled up.
# - `log(softmax)` works as long as the probability can be stored, and then there is infinity or NaN. Its gradient
#   breaks even before its loss, because $1/p$ overflows before $p$ vanishes. At least you notice.
# - Adding $10^{-12}$ is the nastier mistake. Nothing breaks. The loss stays at $-\log 10^{-12} \approx 27.6$, and the
#   gradient is **0** for exactly those samples that are most wrong. Training goes on and simply does not learn them.
# - The cure costs nothing: $\log \sum e^{x}$ as one piece, with the maximum subtracted.
#
# </details>

# %% [markdown]
# ---
# ## §5 and §6 Batch and layer normalization
#
# Work through the 2×2 example of the handout by hand before you write a backward pass.

# %%
grader.check("batch_norm_forward")

# %%
grader.check("batch_norm_backward")

# %%
grader.check("layer_norm_forward")

# %%
grader.check("layer_norm_backward")

# %% [markdown]
# ### Experiment 6 · Do your neighbours change you?
#
# We keep one digit and put it into 200 different batches, with other digits as company. A layer turns each digit into
# 20 features, which are then normalized.
#
# **Question.** By how much do the normalized features of *our* digit vary from batch to batch: with batch norm in
# training, with batch norm in evaluation, with layer norm? And what is special about a batch of two?

# %% [markdown]
# **Your prediction:** *how does the variation depend on the batch size? Which values can there be in a batch of two?*

# %%
with experiment():
    rng = np.random.default_rng(3)
    features = pixels @ rng.normal(scale=0.1, size=(20, 196)).T
    one, zero = np.ones(20), np.zeros(20)
    mean, var = zero, one  # running statistics, trained on 100 batches
    for _ in range(100):
        batch = features[rng.choice(5000, 64, replace=False)]
        _, mean, var = activations.batch_norm_forward(batch, one, zero, mean, var, training=True)

    ways = {
        "batch norm, training": lambda x: activations.batch_norm_forward(x, one, zero, mean, var, training=True)[0],
        "batch norm, evaluation": lambda x: activations.batch_norm_forward(x, one, zero, mean, var, training=False)[0],
        "layer norm": lambda x: activations.layer_norm_forward(x, one, zero),
    }
    sizes = 2 ** np.arange(1, 9)
    seen = {name: [] for name in ways}  # for each size, what became of digit 0 in 200 batches
    for size in sizes:
        batches = [np.append(0, rng.choice(np.arange(1, 5000), size - 1, replace=False)) for _ in range(200)]
        for name, normalize in ways.items():
            seen[name].append(np.array([normalize(features[batch])[0] for batch in batches]))

    figure, (left, right) = plt.subplots(1, 2, width_ratios=[1.2, 1])
    strips = np.random.default_rng(0).uniform(-0.25, 0.25, 200)
    for place, values in enumerate(seen["batch norm, training"]):
        left.plot(place + strips, values[:, 3], ".", color="C0", markersize=2.5)
    left.axhline(seen["batch norm, evaluation"][0][0, 3], color="C1", linestyle="--", label="in evaluation")
    left.set_xticks(range(len(sizes)), [str(size) for size in sizes])
    left.set(title="One feature, in 200 batches of each size", xlabel="batch size", ylabel="after batch norm")
    left.legend(loc="upper right")
    spread = {name: np.array([v.std(axis=0).mean() for v in values]) for name, values in seen.items()}
    noise = spread.pop("batch norm, training")
    right.loglog(sizes, noise, "o-", label="batch norm, training")
    right.loglog(sizes, noise[-1] * np.sqrt(sizes[-1] / sizes), color="0.4", linestyle=":", label="∝ 1 / √batch size")
    right.set_xscale("log", base=2)
    right.set_xticks(sizes, [str(size) for size in sizes])
    right.set_yticks([0.05, 0.1, 0.2, 0.5, 1], ["0.05", "0.1", "0.2", "0.5", "1"])
    right.minorticks_off()
    right.set(title="Variation, mean of all features", xlabel="batch size", ylabel="standard deviation", ylim=(0.03, 2))
    right.legend(loc="lower left")
    print("largest variation, of any batch size:", *(f"{name} {values.max():.0e}" for name, values in spread.items()))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - In training **batch norm makes a sample's output depend on its neighbours**. That is noise, and it falls with the
#   root of the batch size: on these axes, along the dotted line, and a little below it in the smallest batches. Some of
#   it does good: it is as if the data were shaken a little. (The other two ways are not in the right plot, because
#   there is nothing to draw: their variation is that of the last digit, as the line above the plot says.)
# - In a batch of two, nearly every feature comes out as +1 or −1, whatever its value was: only the order of the two is
#   left, but for an ε. The gradient is then almost 0. (Why? Move $x$ a little, and look at what the output does.)
# - In evaluation the running statistics stand in, and the output is a function of the sample alone. They begin at 0
#   and 1. After $k$ batches that beginning still has the weight $0.9^k$: 35 % after ten, next to nothing after 100.
# - Layer norm never looks at other samples. Hence no two modes, no running statistics, no trouble with small batches.
#
# </details>

# %% [markdown]
# ### Experiment 7 · Which loss shows a mistake?
#
# A gradient check moves each input up and down by a little, and compares how a loss changes with what the backward pass
# says. It needs some loss. We try three on batch norm, with γ = 1 and β = 0: the sum of all outputs, the sum of their
# squares, and a sum in which every output has a random weight. Beside your `batch_norm_backward` stand three that
# forget something: that the mean depends on $x$, that the variance does, or both.
#
# **Question.** Which loss finds which of the three mistakes?

# %% [markdown]
# **Your prediction:** *the sum finds …, the squares find …, random weights find …*


# %%
def forgetful(mean: bool, variance: bool):
    """A backward pass that takes the mean, the variance, or both for constants."""

    def backward(dy: np.ndarray, x: np.ndarray) -> np.ndarray:
        deviation = np.sqrt(x.var(axis=0) + 1e-5)
        xhat = (x - x.mean(axis=0)) / deviation
        through_mean = 0 if mean else dy.mean(axis=0)
        through_variance = 0 if variance else xhat * (dy * xhat).mean(axis=0)
        return (dy - through_mean - through_variance) / deviation

    return backward


def measured(loss, x: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """The gradient of a loss by central differences."""
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += h
        down[place] -= h
        gradient[place] = (loss(up) - loss(down)) / (2 * h)
    return gradient


with experiment():
    rng = np.random.default_rng(0)
    x, weights = rng.standard_normal((8, 5)), rng.standard_normal((8, 5))
    one, zero = np.ones(5), np.zeros(5)

    def normalized(x: np.ndarray) -> np.ndarray:
        return activations.batch_norm_forward(x, one, zero, zero, one, training=True)[0]

    losses = {  # name: (the loss as a function of the outputs, its gradient)
        "sum of y": (np.sum, np.ones_like),
        "sum of y²": (lambda y: np.sum(y**2), lambda y: 2 * y),
        "random weights": (lambda y: np.sum(weights * y), lambda y: weights),
    }
    passes = {
        "yours": lambda dy, x: activations.batch_norm_backward(dy, x, one)[0],
        "mean forgotten": forgetful(mean=True, variance=False),
        "variance forgotten": forgetful(mean=False, variance=True),
        "both forgotten": forgetful(mean=True, variance=True),
    }
    slopes = [measured(lambda x, loss=loss: loss(normalized(x)), x) for loss, _ in losses.values()]
    errors = np.array(
        [
            [
                np.abs(backward(gradient(normalized(x)), x) - slope).max()
                for (_, gradient), slope in zip(losses.values(), slopes, strict=True)
            ]
            for backward in passes.values()
        ]
    )

    figure, axes = plt.subplots(figsize=(6, 2.9))
    axes.imshow(errors > 1e-6, cmap="PuOr_r", vmin=-2, vmax=2, aspect="auto")
    for (row, column), error in np.ndenumerate(errors):
        axes.text(column, row, f"✗ {error:.1f}" if error > 1e-6 else "✓", ha="center", va="center")
    labels_below = [
        f"{name}\n(slopes up to {np.abs(slope).max():.1g})" for name, slope in zip(losses, slopes, strict=True)
    ]
    axes.set_xticks(range(3), labels_below)
    axes.set_yticks(range(4), passes)
    axes.set_title("largest difference from the measured slopes")
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the table)</summary>
#
# - The sum misses the forgotten variance, the squares miss the forgotten mean. Only the random weights find all three.
# - Below the table stands how large the true slopes are. For the first two losses they are practically 0: batch norm
#   gives every feature mean 0 and variance 1, whatever $x$ is, so neither the sum of its outputs nor that of their
#   squares *can* change. (What is left of the squares, $10^{-4}$ to $5 \cdot 10^{-4}$, comes from ε.) A backward pass
#   that returned nothing but zeros would pass the first check, and be off by no more than that in the second.
# - So let the loss weigh every output differently. That is what `dy` is for: a random `dy` is such a loss.
#
# </details>

# %% [markdown]
# ---
# ## §7 Deep networks
#
# Write `layer_statistics` and the two initialisations, and check them.

# %%
grader.check("layer_statistics")

# %%
grader.check("xavier_uniform")

# %%
grader.check("he_normal")

# %% [markdown]
# ### A network of your own functions
#
# The next cell makes a network out of *your* functions. Read it once: each layer has a `forward`, and a `backward` that
# takes the gradient of its output, notes the gradients of its parameters and returns the gradient of its input. (That
# of `Linear` you will derive in assignment 3.)


# %%
class Linear:
    def __init__(self, out: int, in_: int, rng: np.random.Generator, scale: float = 1) -> None:
        self.params = [scale * activations.he_normal(out, in_, rng=rng), np.zeros(out)]

    def forward(self, x, training):
        self.x = x
        return x @ self.params[0].T + self.params[1]

    def backward(self, dy):
        self.grads = [dy.T @ self.x, dy.sum(axis=0)]
        return dy @ self.params[0]


class Activation:
    params, grads = (), ()

    def __init__(self, name: str) -> None:
        self.f, self.f_backward = getattr(activations, name), getattr(activations, f"{name}_backward")

    def forward(self, x, training):
        self.x = x
        return self.f(x)

    def backward(self, dy):
        return self.f_backward(dy, self.x)


class Norm:
    """Batch or layer normalization, with scale and shift."""

    def __init__(self, kind: str, size: int) -> None:
        self.kind = kind
        self.params = [np.ones(size), np.zeros(size)]
        self.running = [np.zeros(size), np.ones(size)]

    def forward(self, x, training):
        self.x = x
        if self.kind == "layer":
            return activations.layer_norm_forward(x, *self.params)
        y, *self.running = activations.batch_norm_forward(x, *self.params, *self.running, training=training)
        return y

    def backward(self, dy):
        backward = activations.layer_norm_backward if self.kind == "layer" else activations.batch_norm_backward
        dx, *self.grads = backward(dy, self.x, self.params[0])
        return dx


SEED = 0  # of the weights and the batches; every other one is another draw


def network(activation: str, norm: str | None = None, after: bool = False, *, depth: int, scale: float = 1) -> list:
    """A network with 32 neurons in each hidden layer; depth counts the matrices."""
    rng = np.random.default_rng(SEED)
    layers, in_ = [], 196
    for _ in range(depth - 1):
        layers.append(Linear(32, in_, rng, scale))
        pair = [Norm(norm, 32)] if norm else []
        pair.insert(0 if after else len(pair), Activation(activation))
        layers, in_ = layers + pair, 32
    return [*layers, Linear(10, in_, rng)]


def outputs(layers: list, x: np.ndarray, *, training: bool = False) -> np.ndarray:
    for layer in layers:
        x = layer.forward(x, training)
    return x


def train(layers: list, *, steps: int, lr: float = 0.02, batch_size: int = 32) -> tuple[list[float], float]:
    """Train by gradient descent with momentum 0.9: the losses, and the accuracy on the last 1 000 digits."""
    rng = np.random.default_rng(SEED)
    params = [p for layer in layers for p in layer.params]
    velocity, losses = [np.zeros_like(p) for p in params], []
    for _ in range(steps):
        chosen = rng.choice(4000, batch_size, replace=False)
        logits = outputs(layers, pixels[chosen], training=True)
        losses.append(activations.cross_entropy(logits, labels[chosen]))
        if not np.isfinite(losses[-1]):
            break  # diverged
        dy = activations.cross_entropy_backward(logits, labels[chosen])
        for layer in reversed(layers):
            dy = layer.backward(dy)
        for p, g, v in zip(params, [g for layer in layers for g in layer.grads], velocity, strict=True):
            v *= 0.9
            v += g
            p -= lr * v
    return losses, float((outputs(layers, pixels[4000:]).argmax(axis=1) == labels[4000:]).mean())


def table(axes, rows: dict[str, list[float]], columns: list) -> None:
    """Accuracies in per cent, on colours."""
    values = 100 * np.array(list(rows.values()))
    axes.imshow(values, vmin=0, vmax=100, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        axes.text(j, i, f"{value:.0f}", ha="center", va="center", color="white" if value < 50 else "black")
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xticks(range(len(columns)), columns)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


# %% [markdown]
# ### Experiment 8 · Sixteen layers, not trained yet
#
# A batch of 256 digits passes through 16 layers of 32 neurons, drawn by `he_normal`. Six designs: BN stands
# between the matrix and the activation, but in the sixth, "ReLU, then BN", it follows the activation.
#
# **Question.** Look at the deviation of what each layer passes on. In which designs does the signal reach layer 16?
# (The sigmoid is the interesting one.)

# %% [markdown]
# **Your prediction:** *for each design: does the signal arrive, and are the numbers of both signs?*

# %%
batch = pixels[:256]
DESIGNS = {  # name: (activation, norm, after)
    "sigmoid": ("sigmoid", None, False),
    "tanh": ("tanh", None, False),
    "ReLU": ("relu", None, False),
    "sigmoid + BN": ("sigmoid", "batch", False),
    "ReLU + BN": ("relu", "batch", False),
    "ReLU, then BN": ("relu", "batch", True),
}
LINES = ["C0-", "C1-", "C2-", "C0--", "C2--", "C2:"]

with experiment():
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 3.7), sharey=True)
    rows = ["what layer 16 passes on:    mean     std   positive   saturated inputs"]
    for (name, (activation, norm, after)), line in zip(DESIGNS.items(), LINES, strict=True):
        layers = network(activation, norm, after, depth=17)
        weights = [layer.params[0] for layer in layers if isinstance(layer, Linear)][:16]
        found = activations.layer_statistics(batch, weights, activation, norm=norm, norm_after=after)
        mean, std, positive, saturated = (found[key][-1] for key in ("mean", "std", "positive", "saturated"))
        rows.append(f"{name:>24}  {mean:7.2f} {std:7.2f}   {positive:8.0%}   {saturated:16.0%}")
        left.semilogy(range(1, 17), found["std"], line, label=name)

        x, spread = batch, []  # a neuron's deviation over the digits, the mean of all neurons, after each layer's end
        for layer, following in pairwise(layers):
            x = layer.forward(x, training=True)
            if isinstance(following, Linear):
                spread.append(x.std(axis=0).mean())
        right.semilogy(range(1, 17), spread, line)
    left.set(title="Deviation of all entries", xlabel="layer", ylabel="standard deviation", xticks=[1, 4, 8, 12, 16])
    right.set(title="Deviation from digit to digit", xlabel="layer", xticks=[1, 4, 8, 12, 16])
    figure.legend(loc="outside lower center", ncols=3)
    print("\n".join(rows))

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - On the left all six look healthy, and none of the sigmoids is saturated. On the right the sigmoid is **dead**: after
#   16 layers the outputs of two different digits differ by less than a millionth. What the left side shows is how one
#   neuron differs from the next, and that is the same for every digit.
# - An average over everything hides which axis the variation lies on. When you watch a network, look along the samples.
# - Each sigmoid multiplies differences by a slope of at most $\frac14$, and the gradient on its way back by the same
#   slope. BN blows the differences up again in each layer. tanh has slope 1 at 0 and manages without.
# - Where BN stands *before* ReLU, the next layer again receives nothing below 0, with a mean of about a third. Only BN
#   *after* the activation gives both signs and mean 0. (β could shift even those.)
# - "Saturated" counts, for ReLU, what lies left of 0, where it is as flat as can be: half of the inputs with BN, and 45
#   to 67 % without (five draws).
#
# </details>

# %% [markdown]
# ### Experiment 9 · Train them
#
# **Question.** All networks get the same 150 steps. Which designs learn with 4 layers, which with 16, which with 32?
# What does it take to rescue the sigmoid? Is "ReLU + BN" the answer to everything?

# %% [markdown]
# **Your prediction:** *fill the table in: 6 designs, 3 depths; 10 % is guessing.*

# %%
with experiment(), np.errstate(all="ignore"):
    depths = [4, 16, 32]
    designs = {name: design for name, design in DESIGNS.items() if name != "ReLU, then BN"}
    designs["ReLU + LN"] = ("relu", "layer", False)
    figure, (left, right) = plt.subplots(1, 2, width_ratios=[1.2, 1], figsize=(7.5, 3.5))
    rows = {}
    for (name, design), line in zip(designs.items(), LINES, strict=True):
        results = [train(network(*design, depth=depth), steps=150) for depth in depths]
        rows[name] = [accuracy for _, accuracy in results]
        losses = np.array(results[1][0])
        left.plot(np.arange(10, len(losses) + 1), np.convolve(losses, np.ones(10) / 10, "valid"), line, label=name)
    left.set(title="16 layers", xlabel="step", ylabel="loss, mean of 10 steps", ylim=(0, 3.5))
    left.legend(ncols=2, loc="upper right")
    table(right, rows, depths)
    right.set(title="Accuracy (%)", xlabel="layers")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The deep sigmoid network guesses: it gives all 1 000 digits one answer. So does every network at 9 to 11 % (9 % of
#   these digits are twos, 10 % are nines), unless its numbers have become NaN. With nothing but BN added, *the same
#   sigmoid* learns: 81 to 82 % with 16 layers and 71 to 78 % with 32. It is normalization that carries most of the
#   load, not ReLU.
# - tanh with well-drawn weights does surprisingly well with 16 layers, 68 to 76 %, and needs no normalization for it.
# - At 32 layers ReLU + BN struggles too: 14 to 29 %, after 48 to 60 % with 16 layers. Normalization keeps the signal
#   alive going forward; going backward each pair of BN and ReLU makes the gradient a little larger, and 32 times a
#   little is a lot. What carries networks to hundreds of layers is something else: shortcuts around the layers.
# - The ranges are those of five draws, `SEED` from 0 to 4; the figure shows the first. Accuracies after 150 steps are
#   noisy, and the step size was chosen for nobody in particular. Try `lr=0.005`, and `steps=1000`, before you believe a
#   difference of a few per cent. Which designs profit from the smaller step?
#
# </details>

# %% [markdown]
# ### Experiment 10 · Wrongly drawn weights
#
# **Question.** Somebody draws all hidden weights ten times too small, or ten times too large. What does normalization
# repair, and what does it not? (8 layers, 120 steps.)

# %% [markdown]
# **Your prediction:** *with BN after each matrix, what does the factor change in the forward pass? In a training step?*

# %%
with experiment(), np.errstate(all="ignore"):
    factors = [0.1, 0.5, 1, 2, 10]
    rows = {
        name: [train(network(*design, depth=8, scale=factor), steps=120)[1] for factor in factors]
        for name, design in designs.items()
        if name in ("tanh", "ReLU", "ReLU + BN", "ReLU + LN")
    }
    figure, axes = plt.subplots(figsize=(6, 2.6))
    table(axes, rows, [f"× {factor:g}" for factor in factors])
    axes.set(title="Accuracy (%), 8 layers", xlabel="hidden weights, compared with he_normal")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the table)</summary>
#
# - Without normalization the weights must be drawn with care: a factor of ten per layer is a factor of $10^7$ after
#   seven layers.
# - Normalization divides by the deviation, and a factor on the weights cancels: the *forward pass* is the same for all
#   five columns. (Dividing by the variance would not do that. Try it on paper.)
# - The *training* is not the same. The gradient for weights ten times as large is ten times smaller, so that a step
#   changes them, in proportion, a hundred times less. On the right training crawls. On the left the first steps are a
#   hundred times too large.
# - BN survives even those steps: over a batch, every unit's inputs have mean 0 (while β is small), so none is always
#   negative. LN gives no such promise to a single unit. (To see it, train a network with `scale=0.1` for 10 steps,
#   run `outputs` on the digits, and count the units of the last hidden layer that are 0 for every one of them: 47 to
#   66 % in five draws.) They are dead, and layer norm does not revive them.
#
# </details>

# %% [markdown]
# ---
# ## §8 In PyTorch
#
# Write the second file, `activations_torch.py`, and check it.

# %%
grader.check("SigmoidFunction")

# %%
grader.check("BatchNorm2d")

# %%
grader.check("LayerNorm")

# %% [markdown]
# ### Experiment 11 · The line that was forgotten
#
# Two small convolutional networks, one with your `BatchNorm2d`, one with your `LayerNorm`, learn the digits. Then they
# are tested, and somebody forgets `model.eval()`.
#
# **Question.** How much accuracy does that cost in batches of 100? In batches of 2? And when the test digits happen to
# be sorted, first all zeros, then all ones?

# %% [markdown]
# **Your prediction:** *four accuracies for each of the two networks.*


# %%
class Sigmoid(nn.Module):
    def forward(self, x):
        return activations_torch.SigmoidFunction.apply(x)


def digit_model(norms: list) -> nn.Sequential:
    torch.manual_seed(0)
    first, second = nn.Conv2d(1, 8, 3, stride=2), nn.Conv2d(8, 32, 6)  # 14×14 → 6×6 → 1×1
    return nn.Sequential(first, norms[0], Sigmoid(), second, norms[1], Sigmoid(), nn.Flatten(), nn.Linear(32, 10))


x, y = torch.tensor(small[:, None], dtype=torch.float32), torch.tensor(labels)
mixed = torch.arange(4000, 5000)
in_order = mixed[y[mixed].argsort(stable=True)]


@torch.no_grad()
def accuracy(model: nn.Module, order: torch.Tensor, batch_size: int) -> float:
    right = [model(x[i]).argmax(dim=1) == y[i] for i in order.split(batch_size)]
    return torch.cat(right).float().mean().item()


with experiment():
    models = {
        "BatchNorm2d": [activations_torch.BatchNorm2d(8), activations_torch.BatchNorm2d(32)],
        "LayerNorm": [activations_torch.LayerNorm((8, 6, 6)), activations_torch.LayerNorm((32, 1, 1))],
    }
    tests = {
        "eval(), mixed, 100": (False, mixed, 100),
        "eval(), sorted, 100": (False, in_order, 100),
        "forgotten, mixed, 100": (True, mixed, 100),
        "forgotten, mixed, 10": (True, mixed, 10),
        "forgotten, mixed, 2": (True, mixed, 2),
        "forgotten, sorted, 100": (True, in_order, 100),
    }
    figure, axes = plt.subplots(figsize=(7.5, 3.4))
    for row, (name, norms) in enumerate(models.items()):
        model = digit_model(norms)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
        for _ in range(2):
            for i in torch.randperm(4000).split(50):
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x[i]), y[i]).backward()
                optimizer.step()
        found = [accuracy(model.train(mode), order, size) for mode, order, size in tests.values()]
        bars = axes.barh(np.arange(len(tests)) + 0.38 * row, 100 * np.array(found), height=0.36, label=name)
        axes.bar_label(bars, fmt="%.0f", padding=3, fontsize=9)
    axes.set_yticks(np.arange(len(tests)) + 0.19, tests)
    axes.set(xlabel="accuracy (%)", xlim=(0, 105))
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    figure.legend(loc="outside upper right", ncols=2)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - In large, mixed batches nobody notices the missing line. In batches of two the statistics are too noisy, and 61 to
#   65 % are right (five seeds). In sorted ones, where 25 to 27 % are, they are **wrong**: if every digit of a batch is
#   a seven, then "looks like a seven" is the mean, and BN subtracts it.
# - That is why such a bug survives: it hides while you test as you trained, and comes out when the order of the data
#   changes, or when single digits arrive.
# - In training mode the running statistics move, too. Testing without `eval()` changes the model that you test.
# - LayerNorm does not know the difference.
# - Beware of the reverse as well: an `eval()` that is still in force when training goes on.
#
# </details>

# %% [markdown]
# Last, what the header of `activations.py` promises for all its functions:

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
    files=["activations.py", "activations_torch.py"],
)
