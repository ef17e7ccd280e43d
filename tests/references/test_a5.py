"""The references of assignment 5 against PyTorch's layers and autograd, closed forms and statistics."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.a5_lstm import lstm, lstm_torch, provided
from solutions.a5_lstm.grading import cases, drivers
from tests.references.arrays import frozen, scattered

EXACT, SINGLE = 1e-10, 1e-4
SHAPES = [(1, 1, 1, 1), (1, 4, 3, 2), (3, 1, 2, 4)]
SHAPES += [tuple(int(n) for n in np.random.default_rng(seed).integers(1, 8, 4)) for seed in range(20)]

shapes = pytest.mark.parametrize(("N", "T", "D", "H"), SHAPES)
seeds = pytest.mark.parametrize("seed", range(20))


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, and equal relative to the largest magnitude wanted."""
    got, want = np.asarray(got), np.asarray(want.detach() if isinstance(want, Tensor) else want)
    assert got.shape == want.shape
    assert np.abs(got - want).max() <= tolerance * np.abs(want).max()


def noise(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(np.random.default_rng((seed, *shape)).standard_normal(shape).astype(dtype))


def tensors(*arrays: np.ndarray) -> list[Tensor]:
    """Copies that record gradients."""
    return [torch.tensor(array, requires_grad=True) for array in arrays]


def gradients(outputs: list[Tensor], cotangents: list[np.ndarray], arguments: list[Tensor]) -> tuple[Tensor, ...]:
    return torch.autograd.grad(outputs, arguments, [torch.tensor(array) for array in cotangents])


def pytorch_order(rows: np.ndarray) -> np.ndarray:
    """Blocks f, i, g, o as PyTorch has them: i, f, g, o."""
    f, i, g, o = np.split(rows, 4)
    return np.concatenate([i, f, g, o])


def our_order(rows: np.ndarray) -> np.ndarray:
    return pytorch_order(rows)  # exchanging the first two blocks undoes itself


@dataclass
class Unrolled:
    """An LSTM of random weights run over random sequences, by the reference and by ``nn.LSTM``."""

    N: int
    T: int
    D: int
    H: int

    def __post_init__(self) -> None:
        N, T, D, H = self.N, self.T, self.D, self.H
        self.x, self.h0, self.c0 = noise(0, N, T, D), noise(1, N, H), noise(2, N, H)
        self.W, self.b = noise(3, 4 * H, H + D), noise(4, 4 * H)
        self.h, self.c, self.gates = lstm.lstm_forward(self.x, self.h0, self.c0, self.W, self.b)
        self.layer = nn.LSTM(D, H, batch_first=True, dtype=torch.float64)
        state = {
            "weight_ih_l0": pytorch_order(self.W[:, H:]),
            "weight_hh_l0": pytorch_order(self.W[:, :H]),
            "bias_ih_l0": pytorch_order(self.b) / 3,
            "bias_hh_l0": pytorch_order(self.b) * 2 / 3,
        }
        self.layer.load_state_dict({name: torch.tensor(value) for name, value in state.items()})


# --- LSTM ------------------------------------------------------------------------------------------------------------


@shapes
def test_lstm_step_equals_torch(N: int, T: int, D: int, H: int) -> None:
    x, h, c, W, b = noise(0, N, D), noise(1, N, H), noise(2, N, H), noise(3, 4 * H, H + D), noise(4, 4 * H)
    arguments = tensors(x, h, c, W, b)
    tx, th, tc, tW, tb = arguments
    order = torch.tensor(pytorch_order(np.arange(4 * H)))
    weights = [tW[order, H:], tW[order, :H], tb[order], torch.zeros_like(tb)]
    want_h, want_c = torch.lstm_cell(tx, (th, tc), *weights)
    got_h, got_c, gates = lstm.lstm_step_forward(*map(scattered, (x, h, c, W, b)))
    assert_close(got_h, want_h)
    assert_close(got_c, want_c)
    f, i, g, o = np.split(gates, 4, axis=1)
    assert_close(f * c + i * g, want_c)
    assert_close(o * np.tanh(got_c), want_h)
    dh, dc = noise(5, N, H), noise(6, N, H)
    given = [scattered(array) for array in (dh, dc, x, h, c, got_c, gates, W)]
    for got, want in zip(
        lstm.lstm_step_backward(*given), gradients([want_h, want_c], [dh, dc], arguments), strict=True
    ):
        assert_close(got, want)


@shapes
def test_lstm_equals_torch_in_values_and_all_gradients(N: int, T: int, D: int, H: int) -> None:
    run = Unrolled(N, T, D, H)
    x, h0, c0 = tensors(run.x, run.h0, run.c0)
    want, (last_h, last_c) = run.layer(x, (h0[None], c0[None]))
    assert_close(run.h, want)
    assert_close(run.h[:, -1], last_h[0])
    assert_close(run.c[:, -1], last_c[0])
    dh, dc = noise(5, N, T, H), noise(6, N, H)
    dx, dh0, dc0, dW, db = lstm.lstm_backward(
        dh, dc, scattered(run.x), run.h0, run.c0, scattered(run.h), run.c, run.gates, scattered(run.W)
    )
    arguments = [x, h0, c0, run.layer.weight_ih_l0, run.layer.weight_hh_l0, run.layer.bias_ih_l0]
    wx, wh0, wc0, wih, whh, wb = gradients([want, last_c[0]], [dh, dc], arguments)
    for got, grad in ((dx, wx), (dh0, wh0), (dc0, wc0)):
        assert_close(got, grad)
    assert_close(pytorch_order(dW), torch.cat([whh, wih], dim=1))
    assert_close(pytorch_order(db), wb)


@shapes
def test_lstm_to_torch_computes_the_same(N: int, T: int, D: int, H: int) -> None:
    run = Unrolled(N, T, D, H)
    W = run.W.copy()
    layer = lstm_torch.lstm_to_torch(W, run.b)
    W[:] = np.nan
    got, (_, last_c) = layer(torch.tensor(run.x), (torch.tensor(run.h0)[None], torch.tensor(run.c0)[None]))
    assert_close(got.detach(), run.h)
    assert_close(last_c[0].detach(), run.c[:, -1])
    single = lstm_torch.lstm_to_torch(run.W.astype(np.float32), run.b.astype(np.float32))
    assert {p.dtype for p in single.parameters()} == {torch.float32}


def later_cell(W: Tensor, gates: Tensor, x: Tensor, b: Tensor, c: Tensor, start: int, t: int) -> Tensor:
    """c_t as a function of c_start, both counted from 1: the LSTM run on by autograd."""
    h = gates[start - 1].chunk(4)[3] * torch.tanh(c)
    for s in range(start, t):
        f, i, g, o = (W @ torch.cat([h, x[s]]) + b).chunk(4)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * torch.tanh(c)
    return c


@seeds
def test_cell_jacobian_equals_autograd(seed: int) -> None:
    rng = np.random.default_rng(seed)
    T, D, H = rng.integers(3, 9), rng.integers(1, 5), rng.integers(1, 6)
    run = Unrolled(2, int(T), int(D), int(H))
    W, gates, x, b = (torch.tensor(array) for array in (run.W, run.gates[1], run.x[1], run.b))
    for k in range(T):
        t = int(rng.integers(k + 1, T + 1))
        c = torch.tensor(run.c[1, t - k - 1])
        want = torch.autograd.functional.jacobian(lambda cell, t=t, k=k: later_cell(W, gates, x, b, cell, t - k, t), c)
        assert_close(lstm.cell_jacobian(scattered(run.c[1]), run.gates[1], scattered(run.W), t, k), want)


@seeds
def test_the_direct_path_is_the_whole_derivative_only_without_recurrent_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    T, D, H = (int(n) for n in rng.integers((4, 1, 2), (9, 5, 6)))
    run = Unrolled(1, T, D, H)
    t, k = T, int(rng.integers(2, T))
    direct = lstm.forget_path_gradient(run.gates[0, :, :H], t, k)
    full = lstm.cell_jacobian(run.c[0], run.gates[0], run.W, t, k)
    assert np.abs(full - np.diag(direct)).max() > 1e-3 * np.abs(full).max()
    apart = run.W.copy()
    apart[:, :H] = 0
    _, c, gates = lstm.lstm_forward(run.x, run.h0, run.c0, apart, run.b)
    direct = lstm.forget_path_gradient(gates[0, :, :H], t, k)
    assert_close(lstm.cell_jacobian(c[0], gates[0], apart, t, k), np.diag(direct))


def test_forget_path_gradient_multiplies_the_right_steps() -> None:
    f = np.array([[2.0, 3.0], [5.0, 7.0], [11.0, 13.0]])
    assert lstm.forget_path_gradient(f, 3, 2).tolist() == [55, 91]
    assert lstm.forget_path_gradient(f, 3, 3).tolist() == [110, 273]
    assert lstm.forget_path_gradient(f, 2, 1).tolist() == [5, 7]
    assert lstm.forget_path_gradient(f, 0, 0).tolist() == [1, 1]
    assert lstm.forget_path_gradient(f, 3, 0).tolist() == [1, 1]


@pytest.mark.parametrize("value", [-1000.0, 1000.0])
def test_saturated_gates_stay_finite(value: float) -> None:
    x, zeros = np.full((1, 1), value), np.zeros((1, 2))
    W, b = np.ones((8, 3)), np.zeros(8)
    arrays = lstm.lstm_step_forward(x, zeros, zeros, W, b)
    assert all(np.isfinite(array).all() for array in arrays)
    assert np.isfinite(lstm.gru_step_forward(x, zeros, np.ones((6, 1)), np.ones((6, 2)), np.ones(6), np.ones(6))).all()


def test_single_precision_stays_single() -> None:
    run = Unrolled(2, 3, 4, 5)
    x, h0, c0, W, b = (array.astype(np.float32) for array in (run.x, run.h0, run.c0, run.W, run.b))
    forward = lstm.lstm_forward(x, h0, c0, W, b)
    for got, want in zip(forward, (run.h, run.c, run.gates), strict=True):
        assert_close(got, want, SINGLE)
    dh = noise(5, 2, 3, 5, dtype=np.float32)
    arrays = [*forward, *lstm.lstm_backward(dh, dh[:, 0], x, h0, c0, *forward, W)]
    arrays += [lstm.cell_jacobian(forward[1][0], forward[2][0], W, 3, 2), lstm.forget_path_gradient(x[0], 2, 2)]
    weights = [noise(n, *shape, dtype=np.float32) for n, shape in enumerate([(15, 4), (15, 5), (15,), (15,)])]
    arrays += [lstm.gru_forward(x, h0, *weights), *lstm.gru_step_backward(dh[:, 0], x[:, 0], h0, *weights)]
    arrays += [lstm.bidirectional_lstm(x, np.array([3, 2]), [((W, b), (W, b))])]
    arrays += [lstm.masked_lm_loss(x, np.array([[1, -100, 2], [0, 3, -100]]))[1]]
    assert {array.dtype for array in arrays} == {np.dtype(np.float32)}


@seeds
def test_lstm_init_draws_uniform_weights_and_opens_the_forget_gate(seed: int) -> None:
    H = 10 + seed
    W, b = lstm.lstm_init(30, H, rng=np.random.default_rng(seed), forget_bias=0.5 * seed)
    assert W.shape == (4 * H, H + 30)
    assert W.dtype == b.dtype == np.float64
    assert b.tolist() == H * [0.5 * seed] + 3 * H * [0]
    scaled = W * np.sqrt(H)
    assert np.abs(scaled).max() < 1
    assert abs(scaled.mean()) < 5 / np.sqrt(3 * W.size)
    assert abs((scaled**2).mean() - 1 / 3) < 5 * np.sqrt(4 / 45 / W.size)
    assert np.array_equal(W, lstm.lstm_init(30, H, rng=np.random.default_rng(seed))[0])


# --- GRU -------------------------------------------------------------------------------------------------------------


@shapes
def test_gru_equals_torch_in_values_and_all_gradients(N: int, T: int, D: int, H: int) -> None:
    layer = nn.GRU(D, H, batch_first=True, dtype=torch.float64)
    x, h0 = noise(0, N, T, D), noise(1, N, H)
    weights = [noise(n, *p.shape) for n, p in enumerate(layer.parameters(), start=2)]
    layer.load_state_dict(dict(zip(layer.state_dict(), map(torch.tensor, weights), strict=True)))
    states, _ = layer(torch.tensor(x), torch.tensor(h0)[None])
    assert_close(lstm.gru_forward(scattered(x), h0, *map(scattered, weights)), states)

    arguments = tensors(x[:, 0], h0, *weights)
    after = torch.gru_cell(*arguments)
    assert_close(lstm.gru_step_forward(x[:, 0], h0, *weights), after)
    dh = noise(9, N, H)
    for got, want in zip(
        lstm.gru_step_backward(dh, x[:, 0], h0, *map(scattered, weights)),
        gradients([after], [dh], arguments),
        strict=True,
    ):
        assert_close(got, want)


@seeds
@pytest.mark.parametrize(("kind", "layer"), [("rnn", nn.RNN), ("lstm", nn.LSTM), ("gru", nn.GRU)])
def test_parameter_count_equals_torch(kind: Any, layer: Any, seed: int) -> None:
    D, H = (int(n) for n in np.random.default_rng(seed).integers(1, 30, 2))
    count = sum(p.numel() for p in layer(D, H).parameters())
    assert lstm.parameter_count(kind, D, H, biases=2) == count
    assert lstm.parameter_count(kind, D, H) == count - count // (D + H + 2)
    assert [lstm.parameter_count(kind, 10, 20) for kind in ("rnn", "gru", "lstm")] == [620, 1860, 2480]


@seeds
def test_chrono_bias_spreads_the_spans(seed: int) -> None:
    H, lag = 2000, 20 + 10 * seed
    b = lstm.chrono_bias(H, lag, rng=np.random.default_rng(seed))
    forget, enter, rest = np.split(b, [H, 2 * H])
    assert np.array_equal(forget, -enter)
    assert not rest.any()
    place = np.sort((np.exp(forget) - 1) / (lag - 2))
    assert place[0] >= 0
    assert place[-1] <= 1
    assert np.abs(place - (np.arange(H) + 0.5) / H).max() < 2.5 / np.sqrt(H)  # Kolmogorov-Smirnov


# --- two directions --------------------------------------------------------------------------------------------------


def padded_batch(seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Sequences, lengths and a number of hidden units; N, T, D, H and the lengths are drawn."""
    rng = np.random.default_rng(seed)
    N, T, D, H = (int(n) for n in rng.integers((1, 2, 1, 1), (6, 8, 5, 5)))
    return 3 * noise(seed, N, T, D), rng.integers(1, T + 1, N), H


@seeds
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_bidirectional_lstm_equals_packed_torch(seed: int, depth: int) -> None:
    x, lengths, H = padded_batch(seed)
    layer = nn.LSTM(x.shape[2], H, depth, batch_first=True, bidirectional=True, dtype=torch.float64)
    state = {name: torch.tensor(noise(seed, *p.shape)) for name, p in layer.state_dict().items()}
    layer.load_state_dict(state)

    def weights(suffix: str) -> tuple[np.ndarray, np.ndarray]:
        own = {name: state[f"{name}_{suffix}"].numpy() for name in ("weight_hh", "weight_ih", "bias_ih", "bias_hh")}
        W = np.concatenate([own["weight_hh"], own["weight_ih"]], axis=1)
        return our_order(W), our_order(own["bias_ih"] + own["bias_hh"])

    layers = [(weights(f"l{n}"), weights(f"l{n}_reverse")) for n in range(depth)]
    packed = nn.utils.rnn.pack_padded_sequence(
        torch.tensor(x), torch.tensor(lengths), batch_first=True, enforce_sorted=False
    )
    outputs, (last_h, _) = layer(packed)
    want, _ = nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True, total_length=x.shape[1])
    got = lstm.bidirectional_lstm(scattered(x), lengths, layers)
    assert_close(got, want)
    assert not any(got[n, length:].any() for n, length in enumerate(lengths))
    final = lstm_torch.packed_final_states(layer, torch.tensor(x), torch.tensor(lengths))
    assert_close(final.detach(), torch.cat([last_h[-2], last_h[-1]], dim=1))
    rows = np.arange(len(x))
    assert_close(final.detach(), np.concatenate([got[rows, lengths - 1, :H], got[:, 0, H:]], axis=1))


@seeds
def test_packed_final_states_do_not_see_the_padding(seed: int) -> None:
    x, lengths, H = padded_batch(seed)
    layer = nn.LSTM(x.shape[2], H, 2, batch_first=True, bidirectional=True, dtype=torch.float64)
    got = lstm_torch.packed_final_states(layer, torch.tensor(x), torch.tensor(lengths)).detach()
    for n, length in enumerate(lengths):
        alone = lstm_torch.packed_final_states(layer, torch.tensor(x[n : n + 1, :length]), torch.tensor([length]))
        assert_close(got[n : n + 1], alone)


@seeds
def test_reverse_padded_undoes_itself(seed: int) -> None:
    x, lengths, _ = padded_batch(seed)
    x, lengths = (100 * x).astype(np.int16), lengths - seed % 2
    got = lstm.reverse_padded(scattered(x), lengths)
    assert got.dtype == np.int16
    for before, after, length in zip(x, got, lengths, strict=True):
        assert np.array_equal(after[:length], before[:length][::-1])
        assert np.array_equal(after[length:], before[length:])
    assert np.array_equal(lstm.reverse_padded(got, lengths), x)


@pytest.mark.parametrize("lengths", [[2, 0], [4, 3], [-1, 1]])
def test_impossible_lengths_are_refused(lengths: list[int]) -> None:
    W, b = noise(0, 8, 3), noise(1, 8)
    with pytest.raises(ValueError, match="lengths"):
        lstm.bidirectional_lstm(np.ones((2, 3, 1)), np.array(lengths), [((W, b), (W, b))])


# --- masked words ----------------------------------------------------------------------------------------------------


@seeds
def test_mask_tokens_follows_its_probabilities(seed: int) -> None:
    rng = np.random.default_rng(seed)
    V, probability, special = 12, float(rng.uniform(0.1, 0.6)), [0, 7]
    ids = frozen(rng.integers(0, V, (200, 100)))
    draw = {"mask_id": 5, "vocab_size": V, "special_ids": special, "probability": probability}
    inputs, labels = lstm.mask_tokens(ids, **draw, rng=np.random.default_rng(seed))
    ordinary = ~np.isin(ids, [5, *special])
    selected = labels != -100
    assert not (selected & ~ordinary).any()
    assert np.array_equal(inputs[~selected], ids[~selected])
    assert np.array_equal(labels[selected], ids[selected])
    n, drawn = ordinary.sum(), selected.sum()
    assert abs(drawn - n * probability) < 5 * np.sqrt(n * probability * (1 - probability))
    masked, kept = (inputs == 5)[selected], (inputs == ids)[selected]
    assert abs(masked.mean() - 0.8) < 5 * np.sqrt(0.16 / drawn)
    assert abs(kept.mean() - 0.1 - 0.1 / 9) < 5 * np.sqrt(0.1 / drawn)
    assert set(inputs[selected]) == set(range(V)) - set(special)
    again = lstm.mask_tokens(ids, **draw, rng=np.random.default_rng(seed))
    assert np.array_equal(inputs, again[0])
    assert np.array_equal(labels, again[1])


@seeds
@pytest.mark.parametrize("scale", [1, 1000])
def test_masked_lm_loss_equals_torch(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    N, T, V = (int(n) for n in rng.integers((1, 2, 2), (5, 6, 9)))
    labels = np.where(rng.random((N, T)) < 0.5, rng.integers(0, V, (N, T)), -100)
    labels[0, 0] = V - 1
    logits = scale * noise(seed, N, T, V)
    (tensor,) = tensors(logits)
    want = F.cross_entropy(tensor.flatten(0, 1), torch.tensor(labels).flatten())
    want.backward()
    loss, dlogits = lstm.masked_lm_loss(scattered(logits), labels)
    assert isinstance(loss, float)
    assert_close(loss, want)
    assert tensor.grad is not None
    assert np.abs(dlogits - tensor.grad.numpy()).max() <= EXACT


def test_nothing_selected_costs_nothing() -> None:
    loss, dlogits = lstm.masked_lm_loss(noise(0, 2, 3, 4), np.full((2, 3), -100))
    assert loss == 0
    assert dlogits.shape == (2, 3, 4)
    assert not dlogits.any()


# --- experiments -----------------------------------------------------------------------------------------------------

five_seeds = pytest.mark.parametrize("seed", range(5))


@five_seeds
@pytest.mark.parametrize(("forget_bias", "lowest", "highest"), [(0, -22, -17), (1, -9, -4), (3, -1.5, 2)])
def test_gradients_reach_a_hundred_steps_as_far_as_the_forget_bias_lets_them(
    forget_bias: float, lowest: float, highest: float, seed: int
) -> None:
    """The norm of the derivative over 100 steps as a power of ten, and the direct path beside its closed form."""
    rng, H, D, T, lag = np.random.default_rng(seed), 32, 4, 120, 100
    W, b = lstm.lstm_init(D, H, rng=rng, forget_bias=forget_bias)
    _, c, gates = lstm.lstm_forward(rng.standard_normal((1, T, D)), np.zeros((1, H)), np.zeros((1, H)), W, b)
    reach = np.log10(np.linalg.norm(lstm.cell_jacobian(c[0], gates[0], W, T, lag), 2))
    assert lowest < reach < highest
    direct = np.log10(lstm.forget_path_gradient(gates[0, :, :H], T, lag)).mean()
    assert abs(direct - lag * np.log10(1 / (1 + np.exp(-forget_bias)))) < 2


def latch(layer: nn.Module, lag: int, rng: np.random.Generator, *, classes: int = 4, steps: int = 300) -> float:
    """Train a layer to name the first symbol after ``lag`` steps of noise; the accuracy on 500 new sequences."""

    def batch(size: int) -> tuple[Tensor, Tensor]:
        x, y = torch.zeros(size, lag + 1, classes + 1), torch.from_numpy(rng.integers(classes, size=size))
        x[:, :, classes] = torch.from_numpy(rng.standard_normal((size, lag + 1)))
        x[torch.arange(size), 0, y] = 1
        return x, y

    readout = nn.Linear(32, classes)
    parameters = [*layer.parameters(), *readout.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=0.01)
    for _ in range(steps):
        x, y = batch(64)
        loss = F.cross_entropy(readout(layer(x)[0][:, -1]), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1)
        optimizer.step()
    x, y = batch(500)
    return float((readout(layer(x)[0][:, -1]).argmax(1) == y).double().mean())


@pytest.mark.long
@five_seeds
def test_only_chrono_initialisation_latches_over_a_hundred_steps(seed: int) -> None:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    W, b = lstm.lstm_init(5, 32, rng=rng)
    long = lstm.chrono_bias(32, 150, rng=rng)
    remembers = lstm_torch.lstm_to_torch(W.astype(np.float32), long.astype(np.float32))
    assert latch(remembers, 100, rng) >= 0.95
    forgets = lstm_torch.lstm_to_torch(W.astype(np.float32), b.astype(np.float32))
    assert latch(forgets, 50, rng, steps=150) <= 0.6
    assert latch(nn.RNN(5, 32, batch_first=True), 100, rng, steps=150) < 0.9


class OneSided(lstm_torch.MaskedWordModel):
    """A model that knows one side of a word only."""

    def __init__(self, side: int) -> None:
        super().__init__(20, 16, 32)
        self.kept = torch.arange(64).div(32, rounding_mode="floor") == side
        self.scores.register_forward_pre_hook(lambda _, arguments: (arguments[0] * self.kept,))


@pytest.mark.long
@five_seeds
def test_hidden_words_need_both_sides(seed: int) -> None:
    torch.manual_seed(seed)
    question = cases.schooling(np.random.default_rng(seed))
    assert isinstance(question, cases.Examined)

    def accuracy(model: Any) -> float:
        logits = drivers.masked_word_training(SimpleNamespace(MaskedWordModel=model), *question.args, **question.kwargs)
        return float(np.mean(logits.argmax(1).numpy() == question.answers))

    assert accuracy(lstm_torch.MaskedWordModel) >= 0.99
    assert accuracy(lambda *_: OneSided(0)) <= 0.35  # a quarter, were there no chance
    assert accuracy(lambda *_: OneSided(1)) <= 0.62  # a half


# --- provided --------------------------------------------------------------------------------------------------------


@seeds
def test_adam_step_equals_torch(seed: int) -> None:
    params = {"W": noise(seed, 3, 4), "b": noise(seed, 5)}
    mine = {name: torch.tensor(value, requires_grad=True) for name, value in params.items()}
    optimizer, state = torch.optim.Adam(mine.values(), lr=0.03), None
    for step in range(5):
        grads = {name: noise(100 * seed + step, *value.shape) for name, value in params.items()}
        for name, value in mine.items():
            value.grad = torch.tensor(grads[name])
        optimizer.step()
        params, state = provided.adam_step(params, grads, state, lr=0.03)
    for name, value in params.items():
        assert_close(value, mine[name])
