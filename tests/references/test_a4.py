"""The references of assignment 4 against independent oracles: PyTorch's nn.RNN and its autograd, and closed forms."""

from __future__ import annotations

import copy
import importlib
import sys
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from solutions.a4_rnn import provided, rnn_torch
from tests.references.arrays import frozen, scattered

sys.modules["provided"] = provided  # the reference imports it by its bare name, as a student's file does
rnn = importlib.import_module("solutions.a4_rnn.rnn")
del sys.modules["provided"]

EXACT, SINGLE = 1e-10, 1e-5
TOLERANCE: dict[Any, float] = {np.float64: EXACT, np.float32: SINGLE}

dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["float64", "float32"])


def assert_close(got: Any, want: Any, tolerance: float = EXACT) -> None:
    """Same shape, and equal relative to the largest magnitude wanted."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    scale = np.abs(want).max()
    assert scale > 0
    assert np.abs(got - want).max() <= tolerance * scale


def noise(seed: int, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    return frozen(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def tensors(*arrays: np.ndarray) -> list[torch.Tensor]:
    """Copies that record gradients."""
    return [torch.tensor(array, requires_grad=True) for array in arrays]


SHAPES = [(1, 1, 1, 1, 1), (1, 4, 3, 2, 1), (3, 1, 2, 4, 2)] + [
    tuple(np.random.default_rng(seed).integers(1, 9, size=5).tolist()) for seed in range(24)
]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)


def drawn(shape: tuple[int, ...], dtype: Any = np.float64) -> dict[str, np.ndarray]:
    """Everything a network of N sequences, T steps, D inputs, H states and O outputs is made of."""
    N, T, D, H, O = shape  # noqa: E741
    sizes = {
        "x": (N, T, D),
        "h0": (N, H),
        "U": (H, D),
        "V": (H, H),
        "b": (H,),
        "W": (O, H),
        "dh": (N, T, H),
        "target": (N, T, O),
    }
    return {name: noise(number, *size, dtype=dtype) for number, (name, size) in enumerate(sizes.items(), sum(shape))}


def module_of(a: dict[str, np.ndarray], split: float = 0.0) -> nn.RNN:
    """PyTorch's network with these parameters; of the bias, the part ``split`` goes to the recurrent one."""
    H, D = a["U"].shape
    module = nn.RNN(D, H, batch_first=True, dtype=torch.tensor(a["U"]).dtype)
    U, V, b = (torch.tensor(a[name]) for name in ("U", "V", "b"))
    values = {"weight_ih_l0": U, "weight_hh_l0": V, "bias_ih_l0": (1 - split) * b, "bias_hh_l0": split * b}
    module.load_state_dict(values)
    return module


# --- forward and backward --------------------------------------------------------------------------------------------


@dtypes
@shapes
def test_rnn_forward_equals_torch(shape: tuple[int, ...], dtype: Any) -> None:
    a = drawn(shape, dtype)
    h0 = torch.tensor(a["h0"])
    want, _ = module_of(a, split=0.25)(torch.tensor(a["x"]), h0[None])
    for change in (np.asarray, scattered):
        got = rnn.rnn_forward(*(change(a[name]) for name in ("x", "h0", "U", "V", "b")))
        assert got.dtype == dtype
        assert_close(got, want.detach(), TOLERANCE[dtype])
    step = rnn.rnn_step_forward(a["x"][:, 0], a["h0"], a["U"], a["V"], a["b"])
    assert step.dtype == dtype
    assert_close(step, want[:, 0].detach(), TOLERANCE[dtype])


@dtypes
@shapes
def test_rnn_backward_equals_autograd(shape: tuple[int, ...], dtype: Any) -> None:
    a = drawn(shape, dtype)
    module, (x, h0) = module_of(a), tensors(a["x"], a["h0"])
    h, _ = module(x, h0[None])
    h.backward(torch.tensor(a["dh"]))
    states = h.detach().numpy()
    want = [x.grad, h0.grad, module.weight_ih_l0.grad, module.weight_hh_l0.grad, module.bias_ih_l0.grad]
    for change in (np.asarray, scattered):
        arrays = (a["dh"], a["x"], a["h0"], states, a["U"], a["V"])
        got = rnn.rnn_backward(*(frozen(change(array)) for array in arrays))
        assert [array.dtype for array in got] == [dtype] * 5
        for mine, theirs in zip(got, want, strict=True):
            assert_close(mine, theirs, TOLERANCE[dtype])
    assert_close(want[4], module.bias_hh_l0.grad, TOLERANCE[dtype])


@shapes
def test_rnn_step_backward_equals_autograd(shape: tuple[int, ...]) -> None:
    a = drawn(shape)
    x, h, U, V, b = tensors(a["x"][:, 0], a["h0"], a["U"], a["V"], a["b"])
    h_next = torch.tanh(x @ U.T + h @ V.T + b)
    h_next.backward(torch.tensor(a["dh"][:, 0]))
    got = rnn.rnn_step_backward(a["dh"][:, 0], a["x"][:, 0], a["h0"], h_next.detach().numpy(), a["U"], a["V"])
    for mine, variable in zip(got, (x, h, U, V, b), strict=True):
        assert_close(mine, variable.grad)


def test_a_step_by_hand() -> None:
    x, h = np.array([[1.0, 2.0]]), np.array([[0.5, -0.5]])
    U, V, b = np.array([[0.1, 0.2], [0.3, -0.2]]), np.array([[0.4, 0.2], [-0.2, 0.6]]), np.array([0.1, -0.1])
    h_next = rnn.rnn_step_forward(x, h, U, V, b)
    assert_close(h_next, np.tanh([[0.7, -0.6]]))
    slope = 1 - np.tanh([0.7, -0.6]) ** 2
    dx, dh, dU, dV, db = rnn.rnn_step_backward(np.array([[1.0, 0.0]]), x, h, h_next, U, V)
    assert_close(dx, slope[0] * U[:1])
    assert_close(dh, slope[0] * V[:1])
    assert_close(dU, [[slope[0], 2 * slope[0]], [0, 0]])
    assert_close(dV, [[slope[0] / 2, -slope[0] / 2], [0, 0]])
    assert_close(db, [slope[0], 0])


@shapes
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_sequence_loss_equals_autograd(shape: tuple[int, ...], share: float) -> None:
    a = drawn(shape)
    mask = frozen(np.random.default_rng(1).random(shape[:2]) < share)
    h, W = tensors(a["dh"], a["W"])
    want = ((h @ W.T - torch.tensor(a["target"])) ** 2).sum(-1)[torch.tensor(mask)].sum() / shape[0]
    want.backward()
    loss, dh, dW = rnn.sequence_loss(a["dh"], a["W"], a["target"], mask)
    assert type(loss) is float
    if not mask.any():
        assert loss == 0
        assert not dh.any()
        assert not dW.any()
        assert (dh.shape, dW.shape) == (h.shape, W.shape)
        return
    assert loss == pytest.approx(want.item(), rel=1e-12)
    assert_close(dh, h.grad)
    assert_close(dW, W.grad)


@shapes
@pytest.mark.parametrize("window", [1, 2, 3, 5, 100])
def test_truncated_bptt_equals_autograd_with_detached_states(shape: tuple[int, ...], window: int) -> None:
    a = drawn(shape)
    x, state, dh = torch.tensor(a["x"]), torch.tensor(a["h0"]), torch.tensor(a["dh"])
    module = module_of(a)
    for start in range(0, shape[1], window):
        steps = slice(start, start + window)
        h, _ = module(x[:, steps], state[None])
        h.backward(dh[:, steps])
        state = h[:, -1].detach()
    h = rnn.rnn_forward(a["x"], a["h0"], a["U"], a["V"], a["b"])
    got = rnn.truncated_bptt(a["dh"], a["x"], a["h0"], h, a["U"], a["V"], window=window)
    parameters = (module.weight_ih_l0, module.weight_hh_l0, module.bias_ih_l0)
    for mine, theirs in zip(got, parameters, strict=True):
        assert_close(mine, theirs.grad)
    if window >= shape[1]:
        whole = rnn.rnn_backward(a["dh"], a["x"], a["h0"], h, a["U"], a["V"])[2:]
        assert all(np.array_equal(mine, theirs) for mine, theirs in zip(got, whole, strict=True))


# --- how far a gradient reaches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_linear_recurrence_coefficients_are_the_jacobian_of_a_linear_network(seed: int) -> None:
    H, D, t = (int(n) for n in np.random.default_rng(seed).integers(1, 7, size=3))
    U, V = noise(seed, H, D), noise(seed + 50, H, H)

    def last_state(x: torch.Tensor) -> torch.Tensor:
        h = torch.zeros(H, dtype=x.dtype)
        for x_s in x:
            h = torch.tensor(U) @ x_s + torch.tensor(V) @ h
        return h

    want = torch.autograd.functional.jacobian(last_state, torch.zeros(t, D, dtype=torch.float64)).movedim(0, 1)
    got = rnn.linear_recurrence_coefficients(U, V, t)
    assert_close(got, want)
    x = noise(seed + 100, t, D)
    assert_close(np.einsum("shd,sd->h", got, x), last_state(torch.tensor(x)))


@pytest.mark.parametrize("seed", range(20))
def test_state_jacobian_equals_autograd(seed: int) -> None:
    T, H, D = (int(n) for n in np.random.default_rng(seed).integers(2, 7, size=3))
    x, U, V, b = noise(seed, T, D), noise(seed + 1, H, D), noise(seed + 2, H, H), noise(seed + 3, H)
    h = [noise(seed + 4, H)]
    for x_t in x:
        h.append(np.tanh(U @ x_t + V @ h[-1] + b))
    states = frozen(np.stack(h))
    for t in range(T + 1):
        for k in range(t + 1):

            def later(h_before: torch.Tensor, t: int = t, k: int = k) -> torch.Tensor:
                for x_t in x[t - k : t]:
                    drive = torch.tensor(U) @ torch.tensor(x_t) + torch.tensor(b)
                    h_before = torch.tanh(drive + torch.tensor(V) @ h_before)
                return h_before

            want = torch.autograd.functional.jacobian(later, torch.tensor(states[t - k]))
            assert_close(rnn.state_jacobian(states, V, t, k), want)
    norms = rnn.jacobian_norms(states, V, T)
    assert_close(norms, [np.linalg.svd(rnn.state_jacobian(states, V, T, k))[1][0] for k in range(T + 1)])
    assert_close(rnn.jacobian_norms(states, V, 1), norms[:2])


@pytest.mark.parametrize(("t", "k"), [(3, -1), (3, 4), (0, 1)])
def test_state_jacobian_refuses_lags_that_do_not_exist(t: int, k: int) -> None:
    with pytest.raises(ValueError, match="there is no state"):
        rnn.state_jacobian(noise(0, 5, 2), noise(1, 2, 2), t, k)


def test_jacobians_keep_float32() -> None:
    h, V = noise(0, 5, 3, dtype=np.float32), noise(1, 3, 3, dtype=np.float32)
    assert rnn.state_jacobian(h, V, 4, 2).dtype == np.float32
    assert rnn.state_jacobian(h, V, 4, 0).dtype == np.float32
    assert rnn.jacobian_norms(h, V, 4).dtype == np.float32
    assert rnn.scale_to_radius(V, 0.9).dtype == np.float32
    assert rnn.linear_recurrence_coefficients(noise(2, 3, 2, dtype=np.float32), V, 4).dtype == np.float32


@pytest.mark.parametrize("seed", range(20))
def test_the_spectral_radius_is_gelfands_limit(seed: int) -> None:
    V = noise(seed, 5, 5)
    radius = rnn.spectral_radius(V)
    power = np.linalg.matrix_power(V / radius, 2000)
    assert np.linalg.norm(power, 2) ** (1 / 2000) == pytest.approx(1, abs=0.01)
    scaled = rnn.scale_to_radius(V, 0.7)
    assert rnn.spectral_radius(scaled) == pytest.approx(0.7, rel=1e-12)
    assert_close(scaled / np.abs(scaled).max(), V / np.abs(V).max())


def test_the_spectral_radius_of_a_rotation_and_of_a_reflection() -> None:
    assert rnn.spectral_radius(np.array([[0.0, -2.0], [2.0, 0.0]])) == pytest.approx(2)
    assert rnn.spectral_radius(np.diag([0.5, -3.0])) == pytest.approx(3)


@pytest.mark.parametrize("V", [np.zeros((3, 3)), np.triu(np.ones((4, 4)), 1), np.tril(np.ones((3, 3)), -1)])
def test_a_radius_of_zero_cannot_be_scaled(V: np.ndarray) -> None:
    with pytest.raises(ValueError, match="all eigenvalues are 0"):
        rnn.scale_to_radius(V, 1.0)


@pytest.mark.parametrize("activation", ["sigmoid", "tanh", "linear"])
@pytest.mark.parametrize("seed", range(20))
def test_no_jacobian_exceeds_the_contraction_bound_and_some_reach_it(activation: Any, seed: int) -> None:
    V = noise(seed, 4, 4)
    f = {"sigmoid": torch.sigmoid, "tanh": torch.tanh, "linear": lambda a: a}[activation]
    bound = rnn.contraction_bound(V, activation)
    for drive in (0.0, *np.random.default_rng(seed).normal(size=(5, 4))):
        step = torch.autograd.functional.jacobian(
            lambda h, drive=drive: f(torch.tensor(drive) + torch.tensor(V) @ h), torch.zeros(4, dtype=torch.float64)
        )
        norm = torch.linalg.matrix_norm(step, 2).item()
        assert norm <= bound * (1 + 1e-12)
        if np.ndim(drive) == 0:  # the slope is steepest at 0
            assert norm == pytest.approx(bound, rel=1e-12)


# --- what the lecture simplifies, measured ---------------------------------------------------------------------------


def test_a_norm_above_one_does_not_make_gradients_explode() -> None:
    V = np.array([[0.5, 10.0], [0.0, 0.5]])
    assert np.linalg.norm(V, 2) > 10
    assert rnn.spectral_radius(V) == pytest.approx(0.5)
    norms = rnn.jacobian_norms(np.zeros((61, 2)), V, 60)  # states at 0: tanh is as steep as it can be
    assert norms[1] > 10
    assert norms[60] < 1e-14


def test_an_orthogonal_linear_network_keeps_the_gradient() -> None:
    V, _ = np.linalg.qr(noise(0, 6, 6))
    assert_close(rnn.jacobian_norms(np.zeros((101, 6)), V, 100), np.ones(101))


@pytest.mark.parametrize("seed", range(5))
def test_tanh_under_strong_drive_vanishes_at_any_norm(seed: int) -> None:
    H, T = 20, 50
    V = noise(seed, H, H)
    V = V * 16 / np.linalg.norm(V, 2)
    x = 400 * noise(seed + 10, 1, T, H)
    h = rnn.rnn_forward(x, np.zeros((1, H)), np.eye(H), V, np.zeros(H))
    assert rnn.contraction_bound(V, "tanh") == pytest.approx(16)
    assert rnn.jacobian_norms(np.concatenate([np.zeros((1, H)), h[0]]), V, T)[-1] < 1e-20


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_of_a_network_as_pytorch_makes_it_is_gone_after_a_hundred_steps(seed: int) -> None:
    torch.manual_seed(seed)
    T, H = 100, 32
    cell = nn.RNNCell(8, H).double()
    x, h0 = torch.randn(1, T, 8).double(), torch.zeros(1, H).double()
    weights = (p.detach().numpy() for p in (cell.weight_ih, cell.weight_hh, cell.bias_ih + cell.bias_hh))
    U, V, b = weights
    h = rnn.rnn_forward(x.numpy(), h0.numpy(), U, V, b)
    norms = rnn.jacobian_norms(np.concatenate([h0.numpy(), h[0]]), V, T)
    assert 1e-38 < norms[100] < 1e-22
    dy = torch.eye(H).double()[:1]
    from_autograd = rnn_torch.state_gradient_norms(cell, x, h0, dy)
    assert all(from_autograd.flip(0).numpy() <= norms[:100] * (1 + 1e-9))


# --- clipping --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("max_norm", [0.1, 1.0, 1000.0])
def test_clipping_equals_torch(seed: int, max_norm: float) -> None:
    grads = {"U": noise(seed, 3, 2), "V": 5 * noise(seed + 1, 3, 3), "b": noise(seed + 2, 3)}
    parameters = [nn.Parameter(torch.zeros(g.shape, dtype=torch.float64)) for g in grads.values()]
    for p, g in zip(parameters, grads.values(), strict=True):
        p.grad = torch.tensor(g)
    by_value = rnn.clip_by_value(grads, max_norm)
    clipped, norm = rnn.clip_by_norm(grads, max_norm)
    assert norm == pytest.approx(nn.utils.clip_grad_norm_(parameters, max_norm).item(), rel=1e-12)
    for p, (name, g) in zip(parameters, grads.items(), strict=True):
        assert_close(clipped[name], p.grad, 1e-5)
        assert_close(by_value[name], torch.tensor(g).clamp(-max_norm, max_norm), 0)
    assert clipped.keys() == by_value.keys() == grads.keys()


def test_clipping_by_value_turns_the_gradient_and_clipping_by_norm_does_not() -> None:
    g = np.array([30.0, 4.0])

    def degrees(clipped: np.ndarray) -> float:
        return float(np.degrees(np.arccos(clipped @ g / np.linalg.norm(clipped) / np.linalg.norm(g))))

    assert degrees(rnn.clip_by_value({"w": g}, 5.0)["w"]) == pytest.approx(31, abs=0.5)
    assert degrees(rnn.clip_by_norm({"w": g}, 5.0)[0]["w"]) == pytest.approx(0, abs=1e-5)


def test_clipping_by_norm_adds_in_float64_and_keeps_float32() -> None:
    g = np.array([3e20, -4e20], np.float32)
    clipped, norm = rnn.clip_by_norm({"w": g}, 5.0)
    assert norm == pytest.approx(5e20, rel=1e-6)
    assert clipped["w"].dtype == np.float32
    assert_close(clipped["w"], [3, -4], 1e-6)


def test_clipping_leaves_small_and_zero_gradients() -> None:
    small = noise(0, 4) * 1e-9
    assert np.array_equal(rnn.clip_by_norm({"w": small}, 1.0)[0]["w"], small)
    clipped, norm = rnn.clip_by_norm({"w": np.zeros(3)}, 1.0)
    assert norm == 0
    assert not clipped["w"].any()


@pytest.mark.parametrize("bad", [0.0, -1.0])
def test_clipping_refuses_limits_that_are_not_positive(bad: float) -> None:
    with pytest.raises(ValueError, match="a limit is positive"):
        rnn.clip_by_value({"w": np.ones(2)}, bad)
    with pytest.raises(ValueError, match="cannot be clipped"):
        rnn.clip_by_norm({"w": np.ones(2)}, bad)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_clipping_by_norm_refuses_what_has_no_norm(bad: float) -> None:
    with pytest.raises(ValueError, match="cannot be clipped"):
        rnn.clip_by_norm({"w": np.array([1.0, bad])}, 1.0)


# --- checking gradients ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_numerical_gradient_equals_autograd(seed: int) -> None:
    sizes = np.random.default_rng(seed).integers(1, 5, size=4).tolist()
    x, A, dy = noise(seed, *sizes[:2]), noise(seed + 1, sizes[2], sizes[0]), noise(seed + 2, sizes[2], sizes[1])
    (variable,) = tensors(x)
    torch.sin(torch.tensor(A) @ variable).backward(torch.tensor(dy))
    for point in (x, scattered(x)):
        assert_close(rnn.numerical_gradient(lambda a: np.sin(A @ a), point, dy), variable.grad, 1e-8)
    got = rnn.numerical_gradient(lambda a: float((dy * np.sin(A @ a)).sum()), x, 1.0)
    assert_close(got, variable.grad, 1e-8)


def test_the_numerical_gradient_is_the_quotient_it_says() -> None:
    x, h = noise(0, 3), 0.5
    want = ((x + h) ** 3 - (x - h) ** 3) / (2 * h)  # 3 x² + h²
    assert_close(rnn.numerical_gradient(lambda a: a**3, x, 1.0, h=h), want, 1e-12)
    assert_close(want, 3 * x**2 + h**2, 1e-12)


def test_the_numerical_gradient_takes_views_and_float32() -> None:
    x, dy = noise(1, 3, 2), noise(2, 2, 3)
    assert_close(rnn.numerical_gradient(lambda a: a.T, x, dy), dy.T, 1e-8)
    single = x.astype(np.float32)
    got = rnn.numerical_gradient(lambda a: np.sin(a), single, 1.0)
    assert got.dtype == np.float32
    assert_close(got, np.cos(single), 1e-6)


def test_gradient_error_by_hand() -> None:
    assert rnn.gradient_error(np.array([1.0, -4.0]), np.array([1.0, -3.0])) == pytest.approx(0.25)
    assert rnn.gradient_error(np.array([1e-200]), np.array([3e-200])) == pytest.approx(2 / 3)
    assert rnn.gradient_error(np.array([1.0]), np.array([-1.0])) == 2
    assert rnn.gradient_error(np.zeros((2, 3)), np.zeros((2, 3))) == 0
    assert type(rnn.gradient_error(np.zeros(2), np.ones(2))) is float


# --- training --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_adam_equals_torch(seed: int) -> None:
    params = {"U": noise(seed, 3, 2), "b": noise(seed + 1, 4)}
    parameters = {name: nn.Parameter(torch.tensor(p)) for name, p in params.items()}
    optimizer, state = torch.optim.Adam(parameters.values(), lr=0.05), None
    for step in range(10):
        grads = {name: noise(100 * seed + step, *p.shape) for name, p in params.items()}
        params, state = provided.adam_step(params, grads, state, lr=0.05)
        for name, p in parameters.items():
            p.grad = torch.tensor(grads[name])
        optimizer.step()
        for name, p in parameters.items():
            assert_close(params[name], p.detach(), 1e-12)


class Network(nn.Module):
    """A recurrent network with outputs W h_t, in PyTorch."""

    def __init__(self, a: dict[str, np.ndarray]) -> None:
        super().__init__()
        self.rnn = rnn_torch.to_torch(a["U"], a["V"], a["b"])
        self.W = nn.Parameter(torch.tensor(a["W"]))
        self.rnn.bias_hh_l0.requires_grad_(False)  # one bias, as in the formula

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h: torch.Tensor = self.rnn(x)[0]
        return h @ self.W.T


@dtypes
@pytest.mark.parametrize("seed", range(10))
def test_train_follows_torch(seed: int, dtype: Any) -> None:
    a = drawn((4, 6, 2, 5, 3), dtype) | {"x": noise(seed, 4, 6, 2, dtype=dtype)}
    mask = np.random.default_rng(seed).random((4, 6)) < 0.6
    model = Network(a)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.1)
    x, target, kept = torch.tensor(a["x"]), torch.tensor(a["target"]), torch.tensor(mask)

    def loss_fn(output: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
        return ((output - wanted) ** 2).sum(-1)[kept].sum() / len(x)

    steps = [rnn_torch.train_step(model, x, target, loss_fn, optimizer, 5.0) for _ in range(20)]
    start = {name: a[name] for name in ("U", "V", "W", "b")}
    params, losses = rnn.train(start, a["x"], a["target"], mask, steps=20, lr=0.1, max_norm=5.0)
    assert max(norm for _, norm in steps) > 5 > min(norm for _, norm in steps)
    tolerance = 1e-5 if dtype == np.float64 else 1e-4
    assert_close(losses, [loss for loss, _ in steps], tolerance)
    want = {"U": model.rnn.weight_ih_l0, "V": model.rnn.weight_hh_l0, "W": model.W, "b": model.rnn.bias_ih_l0}
    for name, p in want.items():
        assert params[name].dtype == dtype
        assert_close(params[name], p.detach(), tolerance)


def recall(lag: int, seed: int, *, N: int = 64, H: int = 32, steps: int = 400) -> float:
    """Accuracy on new sequences of a network trained to name the first of four symbols after ``lag`` steps of noise."""
    rng = np.random.default_rng(seed)
    bound = H**-0.5
    shapes = {"U": (H, 4), "V": (H, H), "W": (4, H), "b": (H,)}
    params = {name: rng.uniform(-bound, bound, size=shape) for name, shape in shapes.items()}

    def sequences() -> tuple[np.ndarray, np.ndarray]:
        symbols = rng.integers(4, size=N)
        return symbols, np.concatenate([np.eye(4)[symbols][:, None], rng.normal(size=(N, lag, 4))], axis=1)

    symbols, x = sequences()
    target, mask = np.zeros((N, lag + 1, 4)), np.zeros((N, lag + 1), bool)
    target[:, -1], mask[:, -1] = np.eye(4)[symbols], True
    params, _ = rnn.train(params, x, target, mask, steps=steps, lr=0.003, max_norm=1.0)
    symbols, x = sequences()
    h = rnn.rnn_forward(x, np.zeros((N, H)), params["U"], params["V"], params["b"])
    return float(((h[:, -1] @ params["W"].T).argmax(-1) == symbols).mean())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_a_symbol_is_remembered_for_three_steps_of_noise_and_not_for_a_hundred(seed: int) -> None:
    assert recall(3, seed) >= 0.95
    assert recall(100, seed) <= 0.45


def adding(seed: int, *, N: int = 400, T: int = 10, H: int = 32, steps: int = 2000) -> tuple[np.ndarray, float]:
    """Losses of a network that learns to add the two marked numbers of a sequence, and its error on new sequences."""
    rng = np.random.default_rng(seed)
    bound = H**-0.5
    shapes = {"U": (H, 2), "V": (H, H), "W": (1, H), "b": (H,)}
    params = {name: rng.uniform(-bound, bound, size=shape) for name, shape in shapes.items()}
    mask = np.zeros((N, T), bool)
    mask[:, -1] = True

    def sequences() -> tuple[np.ndarray, np.ndarray]:
        marks = rng.permuted(np.tile(np.arange(T) < 2, (N, 1)), axis=1)
        x, target = np.stack([rng.random((N, T)), marks], axis=2), np.zeros((N, T, 1))
        target[:, -1, 0] = x.prod(axis=2).sum(axis=1)
        return x, target

    params, losses = rnn.train(params, *sequences(), mask, steps=steps, lr=0.003, max_norm=1.0)
    x, target = sequences()
    h = rnn.rnn_forward(x, np.zeros((N, H)), params["U"], params["V"], params["b"])
    return losses, rnn.sequence_loss(h, params["W"], target, mask)[0]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_two_numbers_of_ten_are_added(seed: int) -> None:
    losses, error = adding(seed)
    assert losses[0] > 0.15  # a network that says the mean would have 1/6
    assert losses.min() < 0.01
    assert error < 0.03


# --- PyTorch ---------------------------------------------------------------------------------------------------------


@dtypes
@shapes
def test_to_torch_computes_the_same(shape: tuple[int, ...], dtype: Any) -> None:
    a = drawn(shape, dtype)
    U, V, b = (a[name].copy() for name in ("U", "V", "b"))
    module = rnn_torch.to_torch(U, V, b)
    for array in (U, V, b):
        array += 1
    assert {p.dtype for p in module.parameters()} == {torch.tensor(a["x"]).dtype}
    h, last = module(torch.tensor(a["x"]), torch.tensor(a["h0"])[None])
    want = rnn.rnn_forward(*(a[name] for name in ("x", "h0", "U", "V", "b")))
    assert_close(h.detach(), want, TOLERANCE[dtype])
    assert_close(last[0].detach(), want[:, -1], TOLERANCE[dtype])
    assert all(p.requires_grad for p in module.parameters())


@shapes
def test_state_gradient_norms_equal_backpropagation_through_time(shape: tuple[int, ...]) -> None:
    N, T, D, H, _ = shape
    a = drawn(shape)
    cell = nn.RNNCell(D, H).double()
    values = {"weight_ih": a["U"], "weight_hh": a["V"], "bias_ih": a["b"], "bias_hh": np.zeros(H)}
    cell.load_state_dict({name: torch.tensor(value) for name, value in values.items()})
    cell.weight_hh.grad = torch.ones(H, H).double()
    before = copy.deepcopy([p.grad for p in cell.parameters()])
    dy = a["dh"][:, -1]
    got = rnn_torch.state_gradient_norms(cell, torch.tensor(a["x"]), torch.tensor(a["h0"]), torch.tensor(dy))
    after = [p.grad for p in cell.parameters()]
    assert all(a is b or torch.equal(a, b) for a, b in zip(before, after, strict=True))
    h = rnn.rnn_forward(*(a[name] for name in ("x", "h0", "U", "V", "b")))
    want = []
    for t in range(T):  # what reaches h_t is what reaches the initial state of the steps after it
        if t == T - 1:
            want.append(np.linalg.norm(dy))
            break
        dh = np.zeros((N, T - 1 - t, H))
        dh[:, -1] = dy
        want.append(np.linalg.norm(rnn.rnn_backward(dh, a["x"][:, t + 1 :], h[:, t], h[:, t + 1 :], a["U"], a["V"])[1]))
    assert_close(got, want)


def test_train_step_is_a_step_of_clipped_gradient_descent() -> None:
    torch.manual_seed(0)
    model, x, y = nn.Linear(3, 2).double(), torch.randn(5, 3).double(), torch.randn(5, 2).double()
    before = [p.detach().clone() for p in model.parameters()]
    loss = nn.functional.mse_loss(model(x), y)
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    model.weight.grad = torch.full_like(model.weight, 100.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    got = rnn_torch.train_step(model, x, y, nn.functional.mse_loss, optimizer, 0.1)
    assert got == pytest.approx((loss.item(), norm.item()), rel=1e-12)
    for p, old, g in zip(model.parameters(), before, gradients, strict=True):
        assert_close(p.detach(), old - 0.5 * g * 0.1 / norm, 1e-5)
