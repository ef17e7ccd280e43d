# %% [markdown]
# # Lab 4 · Recurrent networks
#
# How long does a network remember, how far back does its gradient reach, and what can be done about it? You will
# measure the first two with your own code, and try the third.
#
# As in the other labs: a **question**, your **prediction**, code that calls *your* modules, a plot, and what there is
# to notice. Write the prediction down before you run the cell. A wrong one is worth more than none.
#
# - Your functions live in `rnn.py` and `rnn_torch.py`, not here. Edit and save them, then run a cell again: the change
#   is picked up by itself.
# - An experiment whose exercise is not written yet says so and is skipped. **Run all cells** whenever you like.
# - `grader.check("rnn_forward")` runs the visible tests of an exercise, the same as `python -m pytest
#   tests/rnn_forward.py`.
# - The lab is not graded. The whole of it computes for about half a minute.

# %% [markdown]
# The first line below lets NumPy and PyTorch compute with one thread: these networks are so small that several threads
# would mostly wait for each other.

# %%
# %env OMP_NUM_THREADS=1
# %load_ext autoreload
# %autoreload 2
from unittest import mock

import matplotlib.pyplot as plt
import numpy as np
import rnn
import rnn_torch
import torch
from labkit import SIGNED, Grader, experiment

plt.style.use("course.mplstyle")
grader = Grader("lab.ipynb")

LINES = ("C0-", "C1--", "C2-.", "C3:")

# %% [markdown]
# ---
# ## §1 A network with memory
#
# Write one step and the run over a whole sequence, and check them.

# %%
grader.check("rnn_step_forward")

# %%
grader.check("rnn_forward")

# %% [markdown]
# ### Experiment 1 · An echo
#
# A network of 30 numbers with random weights hears a single pulse, and then nothing for 60 steps. There is no bias. Its
# recurrent matrix $V$ turns the state somehow (a random orthogonal matrix) and multiplies its length by a factor: 0.7,
# 1 and 1.5 in the three pictures.
#
# **Question.** How long can you see the pulse in the states?

# %% [markdown]
# **Your prediction:** *factor 0.7: … steps; 1: …; 1.5: …*


# %%
def turning(factor: float) -> tuple[np.ndarray, np.ndarray]:
    """Random input weights U (30, 1), and a V (30, 30) that turns a vector and multiplies its length by the factor."""
    rng = np.random.default_rng(0)
    orthogonal = np.linalg.qr(rng.standard_normal((30, 30)))[0]
    return rng.standard_normal((30, 1)) / 2, factor * orthogonal


def states(x: np.ndarray, U: np.ndarray, V: np.ndarray, b: np.ndarray | float = 0, h0: float = 0) -> np.ndarray:
    """The states of a single sequence x (T, D), the initial one included: (T + 1, H)."""
    H = len(V)
    start = np.full((1, H), float(h0))
    return np.concatenate([start, rnn.rnn_forward(x[None], start, U, V, np.zeros(H) + b)[0]])


with experiment():
    pulse = np.zeros((60, 1))
    pulse[0] = 3
    figure, row = plt.subplots(1, 3, figsize=(7.5, 2.9), sharey=True)
    for axes, factor in zip(row, (0.7, 1, 1.5), strict=True):
        h = states(pulse, *turning(factor))
        image = axes.imshow(h.T, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
        axes.set(title=f"factor {factor}", xlabel="time t")
        axes.grid(visible=False)
    row[0].set_ylabel("number of the state")
    figure.colorbar(image, ax=row, label="$h_t$")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Below 1 the echo dies. The smaller the factor, the sooner. At 1 it lingers: what is left fades ever more slowly.
# - At 1.5 the states never settle at 0: $\tanh$ keeps them between −1 and 1, but each state causes the next one,
#   without any input. The pulse still has an effect, but can you say from the last column whether it came 50 or 60
#   steps ago?
# - Nothing of this has been trained. How long an untrained network remembers depends on $V$.
#
# </details>

# %% [markdown]
# ---
# ## §2 Backpropagation through time

# %%
grader.check("rnn_step_backward")

# %%
grader.check("rnn_backward")

# %% [markdown]
# ### Experiment 2 · Who hears the loss?
#
# A loss looks at the state of time $t$ alone. `rnn_backward` says how it depends on each input $x_s$. We do this for
# every $t$, and for three networks, whose $V$ is made as before, with the factors 0.5, 1 and 2.
#
# **Question.** Which part of the square of all $(t, s)$ is exactly zero? In which direction do the colours fade, and
# do they fade in all three?

# %% [markdown]
# **Your prediction:** *exactly zero: …; with factor 2 the colours …*

# %%
with experiment():
    T = 30
    rng = np.random.default_rng(1)
    x = np.tile(rng.standard_normal((1, T, 1)), (T, 1, 1))  # T times the same sequence: one for each loss
    readout = rng.standard_normal(30)
    figure, row = plt.subplots(1, 3, figsize=(7.5, 2.9), sharey=True)
    for axes, factor in zip(row, (0.5, 1, 2), strict=True):
        U, V = turning(factor)
        h0 = np.zeros((T, 30))
        h = rnn.rnn_forward(x, h0, U, V, np.zeros(30))
        dh = np.zeros((T, T, 30))
        dh[range(T), range(T)] = readout  # sequence number t has its loss at time t
        reach = np.abs(rnn.rnn_backward(dh, x, h0, h, U, V)[0][:, :, 0])
        logs = np.log10(np.where(reach > 0, reach, np.nan))
        image = axes.imshow(logs, vmin=-4, vmax=1, extent=(0.5, T + 0.5, T + 0.5, 0.5))
        axes.set(title=f"factor {factor}", xlabel="input at time s")
        axes.grid(visible=False)
    row[0].set_ylabel("loss at time t")
    figure.colorbar(image, ax=row, label="$\\log_{10} |\\partial L_t / \\partial x_s|$", extend="both")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Above the diagonal everything is exactly 0: no loss depends on later inputs. If your picture has colours there,
#   something in your code looks into the future.
# - Read a row from right to left: this is the way the gradient travels. With 0.5 it is lost after a few steps. The
#   loss does not say that the early inputs are *unimportant* for the task; it cannot say anything about them.
# - With factor 2 the rows stay bright up to the left edge: the gradient reaches the first input. But it is also large
#   and changes abruptly. Experiments 5 and 7 show what that costs.
#
# </details>

# %% [markdown]
# ---
# ## §3 A loss where there are targets
#
# One short exercise. You will meet it again in §6 and §8.

# %%
grader.check("sequence_loss")

# %% [markdown]
# ---
# ## §4 Without the nonlinearity

# %%
grader.check("linear_recurrence_coefficients")

# %% [markdown]
# ### Experiment 3 · Memory, measured
#
# A network hears 4 000 random signs, $x_t = \pm 1$. Nothing is trained but a linear readout: which combination of the
# 30 numbers of $h_t$ comes nearest to the input $k$ steps ago? $R^2 = 1$ says that it is all there, 0 that nothing is.
# Then the same for the *product* of two neighbouring inputs: are the two signs equal?
#
# There are three networks, all with the factor 0.9: one without $\tanh$ (its states come from your coefficients), one
# with $\tanh$, and one with $\tanh$ whose input is five times weaker.
#
# **Question.** Which remembers longest? Which knows the products?

# %% [markdown]
# **Your prediction:** *without tanh: inputs up to lag …, products …; with tanh: …; with weak inputs: …*


# %%
def explained(h: np.ndarray, wanted: list[np.ndarray]) -> np.ndarray:
    """R² of each wanted sequence on its second half, for the linear readout of h that is best on the first half."""
    a, y = np.c_[h, np.ones(len(h))][200:], np.stack(wanted, axis=1)[200:]
    half = len(y) // 2
    readout = np.linalg.lstsq(a[:half], y[:half])[0]
    return 1 - np.var(a[half:] @ readout - y[half:], axis=0) / np.var(y[half:], axis=0)


with experiment():
    rng = np.random.default_rng(0)
    U, V = turning(0.9)
    b, x = rng.standard_normal(30) / 2, rng.choice([-1.0, 1.0], size=4000)
    coefficients = rnn.linear_recurrence_coefficients(U, V, 150)[:, :, 0]  # what lies further back is forgotten
    windows = np.lib.stride_tricks.sliding_window_view(np.concatenate([np.zeros(149), x]), 150)
    networks = {
        "without tanh": windows @ coefficients,
        "with tanh": states(x[:, None], U, V, b)[1:],
        "with tanh, U / 5": states(x[:, None], U / 5, V, b / 5)[1:],
    }
    lags = range(60)
    figure, (inputs, products) = plt.subplots(1, 2, sharey=True)
    for (name, h), line in zip(networks.items(), LINES, strict=False):
        recalled = explained(h, [np.roll(x, k) for k in lags])
        inputs.plot(lags, recalled, line, label=f"sum of all R²: {np.sum(recalled):.0f}")
        products.plot(lags, explained(h, [np.roll(x, k) * np.roll(x, k + 1) for k in lags]), line, label=name)
    inputs.set(title="the input k steps ago", xlabel="lag k", ylabel="R² of a linear readout")
    products.set(title="product of the inputs k and k + 1 steps ago", xlabel="lag k", ylim=(-0.05, 1.05))
    inputs.legend()
    products.legend()

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - Without $\tanh$ the state is a linear map of all inputs. "So memory degenerates", one reads. Yet it is the best
#   memory of the three: all its $R^2$ add up to nearly 30, one input for each number of the state, and more than that
#   is not possible. (Five draws: 29.0 to 29.8 without $\tanh$, 6.6 to 8.1 with it, 18 to 21 with weak inputs.)
# - But it can *only* remember. The product of two signs is not a linear function of them, and is nowhere to be found.
#   This is what the nonlinearity is for.
# - So one is bought with the other. Where $\tanh$ is far from linear the products can be read, and old inputs cannot.
#   With weak inputs $\tanh$ is almost linear: a longer memory, and an $R^2$ of at most 0.14 to 0.33 for the products.
#
# </details>

# %% [markdown]
# ---
# ## §5 How far a gradient reaches

# %%
grader.check("state_jacobian")

# %%
grader.check("jacobian_norms")

# %%
grader.check("spectral_radius")

# %%
grader.check("scale_to_radius")

# %%
grader.check("contraction_bound")

# %% [markdown]
# ### Experiment 4 · Radii and biases
#
# From here on all entries of $V$ are random, and your `scale_to_radius` gives it the spectral radius we want. A network
# of 50 numbers hears noise. Left, the norm of $\partial h_T / \partial h_{T-k}$ against the lag for four
# radii. Right, its exponent of ten at lag 30, for many radii and for biases from 0 to 2 (the same number in every
# entry of $b$).
#
# **Question.** A straight line in the left plot is an exponential law. Which radius keeps the norm near 1? And what
# does a bias do to a network that explodes?

# %% [markdown]
# **Your prediction:** *the norm stays near 1 for a radius of …; a bias makes the gradient … because …*


# %%
def weights(radius: float, size: int = 30, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Random input weights U (size, 1), and recurrent weights V (size, size) of a given spectral radius."""
    rng = np.random.default_rng(seed)
    V = rng.standard_normal((size, size))
    return rng.standard_normal((size, 1)) / 2, rnn.scale_to_radius(V, radius)


with experiment():
    rng = np.random.default_rng(2)
    x, U = rng.standard_normal((100, 3)), rng.standard_normal((50, 3)) / 3
    radii, biases = [0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 3.0], [0.0, 0.5, 1.0, 1.5, 2.0]
    figure, (curves, table) = plt.subplots(1, 2, figsize=(7.5, 3.5))
    for radius, line in zip((0.6, 0.9, 1.2, 2.0), LINES, strict=True):
        V = weights(radius, size=50)[1]
        curves.semilogy(rnn.jacobian_norms(states(x, U, V), V, 60), line, label=f"radius {radius}")
    curves.axhline(1, color="0.4", linewidth=0.8)
    curves.set(title="norm of the Jacobian, no bias", xlabel="lag k", ylim=(1e-16, 1e6))
    curves.legend(loc="lower left")

    exponents = np.zeros((len(biases), len(radii)))
    for (i, j), _ in np.ndenumerate(exponents):
        V = weights(radii[j], size=50)[1]
        h = states(x, U, V, biases[i])
        sizes = [np.linalg.norm(rnn.state_jacobian(h, V, t, 30), 2) for t in (60, 70, 80, 90, 100)]
        exponents[i, j] = np.mean(np.log10(sizes))
    table.imshow(exponents, cmap=SIGNED, vmin=-8, vmax=8, aspect="auto")
    for (i, j), value in np.ndenumerate(exponents):
        text, colour = f"{value:.0f}".replace("-0", "0").replace("-", "−"), "white" if abs(value) > 5 else "black"
        table.text(j, i, text, ha="center", va="center", fontsize=9, color=colour)
    table.set_xticks(range(len(radii)), radii)
    table.set_yticks(range(len(biases)), biases)
    table.set(title="$\\log_{10}$ of the norm at lag 30", xlabel="radius of V", ylabel="bias")
    table.grid(visible=False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - On average the norm changes by about the same factor at every step, and the factor grows with the radius. For small
#   radii the curves are nearly straight, for 2.0 they are uneven: there the slopes of $\tanh$ differ much from step to
#   step.
# - The norm stays near 1 not at radius 1 but near 1.5. The slope of $\tanh$ is 1 at 0 and smaller everywhere else, so
#   the inputs alone make the norm smaller, and $V$ has to make up for it. (At lag 30 without bias, five draws:
#   $10^{-2.3}$ to $10^{-1.6}$ for radius 1.2, 1 to 5 for 1.6, 40 to 100 for 2.0.) With stronger inputs it takes a
#   larger radius.
# - A bias pushes the states into the flat parts of $\tanh$. At radius 2 the largest one turned growth into decay in all
#   five draws, at radius 3 in one of five. So "the radius is above 1, so it explodes" is false: each factor is a
#   *matrix* $\mathrm{diag}(1 - h_t^2) \, V$, and where the states are counts as well as $V$.
#
# </details>

# %% [markdown]
# ### Experiment 5 · Ten to the minus eight
#
# A large Jacobian says that a tiny change of an early state becomes a large one later. We try it: two networks hear the
# same noise, and start from states that differ by $10^{-8}$ in every number.
#
# **Question.** For which radius does the distance between the states grow? Where the Jacobian grows further and
# further, can the distance do the same?

# %% [markdown]
# **Your prediction:** *radius 0.9: …; 1.5: …; 3: … after 100 steps*

# %%
with experiment():
    rng = np.random.default_rng(2)
    x, U = rng.standard_normal((100, 3)), rng.standard_normal((50, 3)) / 3
    figure, axes = plt.subplots(figsize=(7.5, 3))
    for radius, colour in zip((0.9, 1.5, 3.0), ("C0", "C1", "C2"), strict=True):
        V = weights(radius, size=50)[1]
        one, other = states(x, U, V), states(x, U, V, h0=1e-8)
        change = (other - one)[0]
        promised = [np.linalg.norm(rnn.state_jacobian(one, V, t, t) @ change) for t in range(101)]
        axes.semilogy(np.linalg.norm(other - one, axis=1), colour, linewidth=4, alpha=0.4, label=f"radius {radius}")
        axes.semilogy(promised, colour + "--", linewidth=1.2)
    axes.set(xlabel="time t", ylabel="distance", ylim=(1e-17, 1e5))
    axes.set_title("distance of the states (wide), and what the Jacobian says (dashed)")
    axes.legend(loc="lower left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - As long as the distance is small the two agree: this is what a derivative *means*. (At radius 0.9 the distance stops
#   at $10^{-15}$: what is left are rounding errors.)
# - Only one of the three grows. At radius 1.5 the distance shrinks as well, but slowly: after 100 steps it is between a
#   hundred and eleven thousand times smaller (five draws).
# - At radius 3 the distance grows until it is as large as the states, while the Jacobian goes on to grow. From there on
#   the gradient is right only for changes that are far smaller than any step you would take. (In four of five draws the
#   distance came that far within 100 steps. In one it had reached 0.1.)
# - Growth of such tiny differences is what is called chaos. So an exploding gradient is no fault of the training
#   method: in such a network the last state does depend that strongly on the first ones.
#
# </details>

# %% [markdown]
# ### Experiment 6 · Must vanish, may explode
#
# 300 networks of 8 numbers with random matrices $V$ of all sizes, random inputs and biases. For each, the norm of one
# step as `contraction_bound` has it, against the norm of the Jacobian at lag 20. The line is the bound to the power of
# 20.
#
# **Question.** Where can no point lie? A norm above 1 makes the gradient explode: how many of the points on the right
# side do that?

# %% [markdown]
# **Your prediction:** *no point …; of those with a bound above 1, … % explode*

# %%
with experiment():
    rng = np.random.default_rng(0)
    bounds, found, radii = [], [], []
    for _ in range(300):
        V = rng.standard_normal((8, 8)) * 10 ** rng.uniform(-1, 0.5)
        U, b = rng.standard_normal((8, 2)) * 10 ** rng.uniform(-2, 0.5), rng.standard_normal(8) * rng.uniform(0, 0.5)
        h = states(rng.standard_normal((40, 2)), U, V, b)
        bounds.append(rnn.contraction_bound(V, "tanh"))
        found.append(max(rnn.jacobian_norms(h, V, 20)[20], 1e-30))
        radii.append(rnn.spectral_radius(V))
    bounds, found, large = np.array(bounds), np.array(found), np.array(radii) > 1
    exploding = np.mean(found[bounds > 1] > 1)

    figure, axes = plt.subplots(figsize=(7.5, 3.4))
    for chosen, style, label in ((~large, "C0o", "radius < 1"), (large, "C1^", "radius > 1")):
        axes.loglog(bounds[chosen], found[chosen], style, markersize=4, alpha=0.7, label=label)
    line = np.array([0.2, 3])
    axes.loglog(line, line**20, color="0.4", label="bound$^{20}$")
    axes.axvline(1, color="0.4", linewidth=0.8, linestyle=":")
    axes.axhline(1, color="0.4", linewidth=0.8, linestyle=":")
    axes.set_title(f"of the networks with a bound above 1, {exploding:.0%} have a norm above 1 at lag 20")
    axes.set(xlabel="bound of one step, γ‖V‖", ylabel="norm at lag 20", ylim=(1e-25, 1e12))
    axes.legend(loc="upper left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - No point lies above the line. To the left of 1 every gradient *must* vanish: that part of the rule is a theorem.
# - To the right of 1 most points lie below 1 nevertheless: only 18 to 24 % explode, in five draws of 300 networks. A
#   norm above 1 is *necessary* for an explosion, and far from sufficient: the direction that $V$ stretches most need
#   not be the one that the step before has left, and $\tanh$ has a slope below 1.
# - Some of those with the largest weights have nearly no gradient at all (bottom right): their states sit in the flat
#   parts of $\tanh$.
#
# </details>

# %% [markdown]
# ---
# ## §6 Clipping

# %%
grader.check("clip_by_value")

# %%
grader.check("clip_by_norm")

# %% [markdown]
# ### Experiment 7 · Down the cliff
#
# The smallest network there is: one number, $h_t = \tanh(v h_{t-1} + b)$, $h_0 = -0.3$, no inputs, and a loss
# $(h_{15} - 0.6)^2$ at the end. Its two parameters can be drawn as a landscape, and it has a cliff. Below the cliff, a
# valley. Gradient descent (plain, step size 0.02) starts on the high plain, once without clipping, and once with
# gradients clipped to the norm 1.
#
# **Question.** What happens to each at the edge? Right, the same for 16 starting points: how far does $b$ get on the
# way, and how good are they after 500 steps?

# %% [markdown]
# **Your prediction:** *without clipping …, with clipping …*


# %%
def descend(v: float, b: float, max_norm: float, steps: int = 500, T: int = 15) -> np.ndarray:
    """Plain gradient descent: v, b and the loss before each step, (steps, 3)."""
    x, h0, W = np.zeros((1, T, 1)), np.array([[-0.3]]), np.eye(1)
    target, mask, U, path = np.full((1, T, 1), 0.6), np.arange(T)[None] == T - 1, np.zeros((1, 1)), []
    for _ in range(steps):
        V = np.array([[v]])
        h = rnn.rnn_forward(x, h0, U, V, np.array([b]))
        loss, dh, _ = rnn.sequence_loss(h, W, target, mask)
        dV, db = rnn.rnn_backward(dh, x, h0, h, U, V)[3:]
        grads, _ = rnn.clip_by_norm({"V": dV, "b": db}, max_norm)
        path.append((v, b, loss))
        if abs(dV.item()) + abs(db.item()) < 1e-7:  # arrived, or stuck: 500 such steps would not be seen
            path += [path[-1]] * (steps - len(path))
            break
        v, b = v - 0.02 * grads["V"].item(), b - 0.02 * grads["b"].item()
    return np.array(path)


with experiment():
    v, b = np.meshgrid(np.linspace(0.6, 2.6, 200), np.linspace(-0.4, 0.7, 200))
    h = np.full_like(v, -0.3)
    for _ in range(15):
        h = np.tanh(v * h + b)
    starts = np.random.default_rng(0).uniform((1.6, -0.3), (2.4, 0), size=(16, 2))
    methods = {"no clipping": (1e300, "C1"), "clipped to norm 1": (1.0, "C0")}

    figure, (land, ends) = plt.subplots(1, 2, figsize=(7.5, 3.6), width_ratios=[1.2, 1])
    shown = land.pcolormesh(v, b, (h - 0.6) ** 2, cmap="Greys", vmax=4, rasterized=True)
    figure.colorbar(shown, ax=land, label="loss")
    for name, (max_norm, colour) in methods.items():
        paths = np.stack([descend(*start, max_norm) for start in starts])
        leap = np.abs(paths[:, :, 1]).max(axis=1)
        land.plot(*paths[0, :, :2].T, colour + ".-", markersize=3, linewidth=0.8, label=name)
        ends.loglog(leap, np.maximum(paths[:, -1, 2], 1e-6), colour + "o", markersize=5, alpha=0.6, label=name)
    land.plot(*starts[0], "ko", markersize=6, label="start")
    land.set(xlabel="v", ylabel="b", xlim=(0.6, 2.6), ylim=(-0.4, 0.7), title="one descent")
    land.legend(loc="lower left")
    ends.set(title="16 descents", xlabel="largest |b| on the way", ylabel="loss after 500 steps")
    ends.set_xlim(0.1, 300)
    ends.legend(loc="center right")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The numbers below are those of five sets of starts; the figure shows the first set.
# - On the high plain both take the same short steps: the gradient is small there, typically 0.2 to 0.6. At the edge it
#   was 50 to 2 300 on the descent on the left, and one step without clipping takes it out of the picture, here to
#   $b = 45$, in the other sets to $|b|$ between 1 and 7.
# - Unclipped, 6 to 8 of the 16 end well all the same: a long step may land in the valley, too. The others end at losses
#   from 0.06 to 2.6 (0.16 is $h_{15} = 1$, 2.56 is $h_{15} = -1$), where $\tanh$ is flat, the gradient almost 0, and
#   500 steps are not enough to come back.
# - With clipping no $|b|$ exceeded 0.33, and 14 to 16 of the 16 end at losses below 0.02. (The others still had losses
#   of 0.5 to 1.2.) They go to and fro along the edge for a while, and get into the valley: the direction of the
#   gradient was useful, its length was not.
# - (Losses below $10^{-6}$ are drawn there.)
#
# </details>

# %% [markdown]
# ---
# ## §7 Checking gradients

# %%
grader.check("numerical_gradient")

# %%
grader.check("gradient_error")

# %% [markdown]
# ### Experiment 8 · Which mistakes does a gradient check find?
#
# We spoil your `rnn_step_backward` in four ways and let your `numerical_gradient` judge what your `rnn_backward` makes
# of it. (It shows only if your `rnn_backward` calls your `rnn_step_backward`.) Two tests: one on sequences of a single
# step, with $h_0 = 0$ and a symmetric $V$; one on sequences of five steps with nothing special about them.
#
# **Question.** Which of the four mistakes does the first test find, and in which gradients?

# %% [markdown]
# **Your prediction:** *the first test finds: …*

# %%
honest = rnn.rnn_step_backward


def no_carry(dh_next, x, h, h_next, U, V):
    dx, dh, dU, dV, db = honest(dh_next, x, h, h_next, U, V)
    return dx, np.zeros_like(dh), dU, dV, db


SPOILED = {
    "correct": honest,
    "nothing from later steps": no_carry,
    "V not transposed": lambda dh_next, x, h, h_next, U, V: honest(dh_next, x, h, h_next, U, V.T),
    "dV from the wrong state": lambda dh_next, x, h, h_next, U, V: honest(dh_next, x, h_next, h_next, U, V),
    "slope of tanh forgotten": lambda dh_next, x, h, h_next, U, V: honest(dh_next, x, h, 0 * h_next, U, V),
}


def gradient_errors(T: int, plain: bool) -> list[float]:
    """How far the gradients of x, h0, U, V and b are from central differences."""
    rng = np.random.default_rng(0)
    shapes = {"x": (2, T, 3), "h0": (2, 4), "U": (4, 3), "V": (4, 4), "b": (4,)}
    arrays = {name: rng.standard_normal(shape) / 2 for name, shape in shapes.items()}
    if plain:
        arrays["h0"], arrays["V"] = np.zeros((2, 4)), arrays["V"] + arrays["V"].T
    dh, h = rng.standard_normal((2, T, 4)), rnn.rnn_forward(**arrays)
    said = rnn.rnn_backward(dh, arrays["x"], arrays["h0"], h, arrays["U"], arrays["V"])
    errors = []
    for (name, array), gradient in zip(arrays.items(), said, strict=True):
        true = rnn.numerical_gradient(lambda a, name=name: rnn.rnn_forward(**{**arrays, name: a}), array, dh)
        errors.append(rnn.gradient_error(gradient, true))
    return errors


with experiment():
    figure, pair = plt.subplots(1, 2, figsize=(7.5, 2.7), sharey=True)
    tests = ("1 step, $h_0 = 0$, V symmetric", 1, True), ("5 steps, nothing special", 5, False)
    for axes, (title, T, plain) in zip(pair, tests, strict=True):
        errors = []
        for step in SPOILED.values():
            with mock.patch.object(rnn, "rnn_step_backward", step):
                errors.append(gradient_errors(T, plain))
        axes.imshow(np.array(errors) > 1e-7, cmap=SIGNED, vmin=-2, vmax=2, aspect="auto")
        for (row, column), value in np.ndenumerate(errors):
            axes.text(column, row, f"{value:.0e}" if value > 1e-7 else "✓", ha="center", va="center", fontsize=8)
        axes.set_xticks(range(5), ["dx", "dh0", "dU", "dV", "db"])
        axes.set_yticks(range(5), SPOILED)
        axes.set_title(title)
        axes.grid(visible=False)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - The first test finds three of the four. It misses "V not transposed": with a symmetric $V$ the two are the same.
# - It finds "nothing from later steps" in one place only, the gradient of $h_0$. Who does not compare that one, misses
#   two of four: with a single step nothing comes from a later one.
# - With $h_0 = 0$ the true gradient of $V$ is zero. So a forgotten slope of $\tanh$ does not show there, though it does
#   in the others.
# - The second test finds all four, and where it finds them tells what to mend: if only dV is wrong, look at the line of
#   dV; if all are, look at what travels back through time.
# - So test with several steps, an initial state that is not zero, a $V$ that is not symmetric, and sizes that all
#   differ.
#
# </details>

# %% [markdown]
# ---
# ## §8 Training

# %%
grader.check("truncated_bptt")

# %%
grader.check("train")

# %% [markdown]
# ### Experiment 9 · What does truncation cost?
#
# 60 steps, a loss at each of them. We compare the gradient of $V$ from windows of $w$ steps with that through all of
# time: the angle between the two.
#
# **Question.** For which of the networks are short windows good enough?

# %% [markdown]
# **Your prediction:** *with windows of 5 steps the angle is … for radius 0.5, … for 1.0, … for 1.5*

# %%
with experiment():
    rng = np.random.default_rng(0)
    x, dh, h0 = rng.standard_normal((20, 60, 1)), rng.standard_normal((20, 60, 30)), np.zeros((20, 30))
    sizes = [1, 2, 3, 5, 10, 15, 20, 30, 60]
    figure, axes = plt.subplots(figsize=(7.5, 3))
    for radius, line in zip((0.5, 1.0, 1.5, 2.0), ("C0o-", "C1s--", "C2^-.", "C3v:"), strict=True):
        U, V = weights(radius)
        h = rnn.rnn_forward(x, h0, U, V, np.zeros(30))
        gradients = [rnn.truncated_bptt(dh, x, h0, h, U, V, window=w)[1].ravel() for w in sizes]
        cosines = [g @ gradients[-1] / np.linalg.norm(g) / np.linalg.norm(gradients[-1]) for g in gradients]
        axes.plot(sizes, np.degrees(np.arccos(np.clip(cosines, -1, 1))), line, label=f"radius {radius}")
    axes.set(xlabel="steps in a window", ylabel="angle to the whole gradient (°)", ylim=(-5, 135), xscale="log")
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend(loc="upper right", ncols=4)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - At radius 0.5 even windows of five steps give nearly the right direction (10° to 14° off in five draws), *because*
#   the gradient vanishes: beyond the window there is hardly anything to miss.
# - The farther the gradient reaches, the more a short window loses. At radius 2 it explodes: the whole gradient
#   consists of what travelled far, and a window shows something that is unrelated to it (90° are a right angle).
# - So truncation is no approximation of the whole gradient in general. It is a decision: *nothing longer than a window
#   shall be learned from.* In return, a window needs the memory and the time of $w$ steps, not of $T$.
#
# </details>

# %% [markdown]
# ### Experiment 10 · What clipping changes
#
# Now we train. The task is an echo: hear random signs, and say at each step the sign of $k$ steps ago. The larger $k$,
# the longer the memory it takes. 24 numbers, 300 steps of Adam, 100 sequences of 30 steps; the error is that on new
# sequences, and 1 is what a network gets that knows nothing and says 0.
#
# Three ways to start: $V$ with a radius of 0.3, where gradients vanish; with 2.5, where they explode; and an orthogonal
# matrix, which turns the state without changing its length. The first two are trained with clipping to norm 1, and
# without.
#
# **Question.** "An RNN remembers about ten steps." Up to which $k$ does each succeed? For which does clipping help, and
# at which $k$?

# %% [markdown]
# **Your prediction:** *radius 0.3: up to k = …; radius 2.5: …; orthogonal: …; clipping helps …*


# %%
def echo_error(V: np.ndarray, lag: int, max_norm: float) -> float:
    """Train on the echo task from V on, and return the mean squared error on new sequences."""
    rng, size, T = np.random.default_rng(1), len(V), 30
    mask = np.tile(np.arange(T) >= lag, (100, 1))

    def sequences() -> tuple[np.ndarray, np.ndarray]:
        x = rng.choice([-1.0, 1.0], size=(100, T, 1))
        return x, np.roll(x, lag, axis=1)  # what rolls in at the beginning is masked

    start = {"U": rng.standard_normal((size, 1)) / 2, "V": V, "W": rng.standard_normal((1, size)) / size**0.5}
    params, _ = rnn.train({**start, "b": np.zeros(size)}, *sequences(), mask, steps=300, lr=0.005, max_norm=max_norm)
    x, target = sequences()
    h = rnn.rnn_forward(x, np.zeros((100, size)), params["U"], params["V"], params["b"])
    return rnn.sequence_loss(h, params["W"], target, mask)[0] / (T - lag)


with experiment():
    noise, lags = np.random.default_rng(0).standard_normal((24, 24)), [2, 8, 16]
    small, large = (rnn.scale_to_radius(noise, radius) for radius in (0.3, 2.5))
    orthogonal = np.linalg.qr(noise)[0]
    entries = {
        "radius 0.3": (small, 1e9, "C0o-"),
        "radius 0.3, clipped": (small, 1.0, "C0o--"),
        "radius 2.5": (large, 1e9, "C1s-"),
        "radius 2.5, clipped": (large, 1.0, "C1s--"),
        "orthogonal, clipped": (orthogonal, 1.0, "C2^--"),
    }
    figure, axes = plt.subplots(figsize=(7.5, 3.3))
    for name, (V, max_norm, style) in entries.items():
        axes.semilogy(lags, [echo_error(V, lag, max_norm) for lag in lags], style, label=name)
    axes.set(xlabel="the echo's lag k", ylabel="error on new sequences", xticks=lags)
    figure.legend(loc="outside right upper", handlelength=3)

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# One curve stands for one draw of the weights and of the data. The ranges below are those of five draws.
#
# - From radius 0.3 it works up to 8 steps (an error of 0.001 to 0.003), and hardly at 16 (0.45 to 1.1): the "ten steps"
#   that one hears of. But from an orthogonal matrix the *same* network learns 16 (0.01 to 0.12). So how far it gets
#   depends on where it starts. The clipping is not what does it: without clipping we got the same from the orthogonal
#   matrix.
# - At radius 2.5 clipping makes the error for an echo of 2 steps at least a hundred times smaller. At 8 steps it gains
#   little (in one draw 0.11 became 0.02), and at 16 nothing: it does not make the network remember longer.
# - From radius 0.3 clipping changes little at 8 and 16 steps, where the gradient vanishes: it shortens what is too long
#   and cannot lengthen what is gone. Nor does it help to multiply a small gradient by a large number, as Adam does for
#   each weight: the same sum holds the terms of the last few steps, which did not vanish, and they grow as well.
# - At 2 steps clipping makes the error smaller for every start, also where nothing explodes.
# - What is needed is another way for the past to travel, and that is assignment 5.
#
# </details>

# %% [markdown]
# ---
# ## §9 In PyTorch
#
# Write the second file, `rnn_torch.py`, and check it.

# %%
grader.check("to_torch")

# %%
grader.check("state_gradient_norms")

# %%
grader.check("train_step")

# %% [markdown]
# ### Experiment 11 · The gradient that PyTorch shows
#
# An `nn.RNN` returns all its states. Ask autograd for their gradients, and it answers. We compare the answer with your
# `state_gradient_norms`: a loss on the last state, 40 steps, PyTorch's own initialization, 64 numbers. The third curve
# starts from an orthogonal matrix.
#
# **Question.** What should the first curve look like? After how many steps is a thousandth left?

# %% [markdown]
# **Your prediction:** *the gradient of the output is …; a thousandth is left after … steps*

# %%
with experiment():
    torch.manual_seed(0)
    H, T = 64, 40
    cell, x, h0, dy = torch.nn.RNNCell(3, H), torch.randn(1, T, 3), torch.zeros(1, H), torch.randn(1, H)
    own = [p.detach().numpy() for p in (cell.weight_ih, cell.weight_hh, cell.bias_ih + cell.bias_hh)]
    outputs, _ = rnn_torch.to_torch(*own)(x)
    (shown,) = torch.autograd.grad(outputs[:, -1], outputs, dy)
    norms = {"gradient of nn.RNN's output": shown[0].norm(dim=1)}
    norms["your state_gradient_norms"] = rnn_torch.state_gradient_norms(cell, x, h0, dy)
    with torch.no_grad():
        cell.weight_hh.copy_(torch.linalg.qr(cell.weight_hh)[0])
    norms["the same, V orthogonal"] = rnn_torch.state_gradient_norms(cell, x, h0, dy)

    figure, axes = plt.subplots(figsize=(7.5, 3))
    lags = T - np.arange(1, T + 1)
    for (name, values), line in zip(norms.items(), ("C1s", "C0o-", "C2^-"), strict=True):
        axes.plot(lags, np.maximum(values.numpy(), 1e-16), line, label=name, markersize=4)
    axes.set_yscale("symlog", linthresh=1e-12)
    axes.set(xlabel="lag T − t", ylabel="norm", ylim=(-1e-12, 1e7), yticks=[0, 1e-12, 1e-9, 1e-6, 1e-3, 1, 1e3])
    axes.legend(loc="upper right")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - For all states but the last PyTorch's answer is exactly 0, and no mistake: an output of `nn.RNN` is a *copy* for
#   you. The way from one state to the next lies inside the module, and autograd does not pass through the copies. What
#   you see there is the direct gradient (`dh` in your `rnn_backward`), not the whole one.
# - With an `nn.RNNCell` and your own loop, every state lies on the way. By PyTorch's default initialization the
#   gradient falls to a thousandth within 11 to 14 steps (five draws).
# - An orthogonal $V$ keeps it for much longer. It costs one line: `nn.init.orthogonal_(cell.weight_hh)`.
#
# </details>

# %% [markdown]
# ### Experiment 12 · Two numbers out of many
#
# The adding problem: each step brings a random number between 0 and 1 and a mark, 0 or 1. Two steps are marked. At the
# end, the network has to say the sum of their two numbers. Who always says 1, the mean, has a squared error of
# $\frac16$. Your `train_step` trains an `nn.RNN` of 32 numbers, with 100 new sequences in each of 700 steps.
#
# **Question.** Does it learn to add with sequences of 10 steps? Of 30?

# %% [markdown]
# **Your prediction:** *10: …; 30: …*


# %%
class Adder(torch.nn.Module):
    """A recurrent network of which the last state is read out."""

    def __init__(self, size: int):
        super().__init__()
        self.rnn, self.out = torch.nn.RNN(2, size, batch_first=True), torch.nn.Linear(size, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.rnn(x)[0][:, -1])[:, 0]


def additions(rng: np.random.Generator, T: int) -> tuple[torch.Tensor, torch.Tensor]:
    """100 sequences (100, T, 2) of numbers and marks, and the sums of the marked numbers."""
    marks = rng.permuted(np.tile(np.arange(T) < 2, (100, 1)), axis=1)
    x = torch.tensor(np.stack([rng.random((100, T)), marks], axis=2), dtype=torch.float32)
    return x, x.prod(dim=2).sum(dim=1)


with experiment():
    figure, (errors, gradients) = plt.subplots(1, 2, sharex=True)
    for T, colour in ((10, "C0"), (30, "C1")):
        torch.manual_seed(0)
        rng, model = np.random.default_rng(0), Adder(32)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        steps = [
            rnn_torch.train_step(model, *additions(rng, T), torch.nn.functional.mse_loss, optimizer, 1.0)
            for _ in range(700)
        ]
        for axes, values in zip((errors, gradients), np.array(steps, dtype=float).T, strict=True):
            axes.semilogy(values, colour, linewidth=0.4, alpha=0.3)
            smooth = np.convolve(values, np.ones(25) / 25, "valid")
            axes.semilogy(np.arange(24, 700), smooth, colour, label=f"{T} steps")
    errors.axhline(1 / 6, color="0.4", linestyle=":", label="always says 1")
    gradients.axhline(1, color="0.4", linestyle=":", label="clipped above")
    errors.set(title="squared error", xlabel="step of training", ylim=(2e-3, 2))
    gradients.set(title="norm of the gradient before clipping", xlabel="step of training", ylim=(1e-2, 1e3))
    errors.legend(loc="lower left")
    gradients.legend(loc="upper left")

# %% [markdown]
# <details><summary><b>What to notice</b> (after the plot)</summary>
#
# - With 10 steps it first learns the mean, stays near that plateau for a hundred steps or more, and then learns what
#   the marks mean: the error fell below 0.1 after 180 to 270 steps, and ended at 0.008 to 0.024, in five draws.
# - With 30 steps it was still on the plateau after 700 steps in four of five draws (an error of 0.16 to 0.18), and in
#   the fifth it had just begun to leave it (0.13). Nothing else has changed: the network, the number of steps and the
#   two numbers to be added are the same.
# - Look at the right picture, too. The gradient of the network that learns nothing is not tiny. It is made up of the
#   last few steps. *Vanishing* means that the part that comes from far away is missing, and the norm of the whole does
#   not show that.
# - Clipping acts often: on 15 to 36 % of the steps with sequences of 10, in five draws.
#
# </details>

# %% [markdown]
# ---
# ## To think about
#
# These questions are about the experiments. They are not graded, and each can be tried in a few lines.
#
# 1. A network with a sigmoid instead of $\tanh$: how large must the norm of $V$ at least be for its gradient to be able
#    to explode?
# 2. One entry of one gradient is infinite. What would the other parameters get from `clip_by_value`, and what from a
#    `clip_by_norm` that did not raise?
# 3. Replace `clip_by_norm` by `clip_by_value` in experiment 7. Where does the path along the edge differ, and why?
# 4. An orthogonal $V$ keeps the gradient without $\tanh$ forever. Why did the third curve of experiment 11 fall
#    nevertheless? What would smaller inputs do?
# 5. A loss at every step, or one at the end only: which one of the two makes an echo of 16 steps easier to learn?

# %% [markdown]
# Last, what the header of `rnn.py` promises for all its functions:

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
    files=["rnn.py", "rnn_torch.py"],
)
