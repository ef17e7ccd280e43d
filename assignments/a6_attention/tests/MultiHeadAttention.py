from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from checks import Failed, criterion, devices, equal, student, waves

OK_FORMAT, name = False, "MultiHeadAttention"

SHAPES = {"in_proj_weight": (12, 4), "in_proj_bias": (12,), "out_proj.weight": (4, 4), "out_proj.bias": (4,)}


def tensor(values: Any, device: str) -> torch.Tensor:
    return torch.tensor(np.array(values, float), device=device)


def loaded(values: dict[str, Any], num_heads: int, device: str) -> Any:
    """The student's layer with these parameters."""
    layer = student("attention_torch").MultiHeadAttention(len(values["out_proj.bias"]), num_heads).double()
    layer.load_state_dict({key: tensor(value, "cpu") for key, value in values.items()}, strict=False)
    return layer.to(device)


def small(device: str) -> Any:
    """The two heads of one feature that the handout computes on paper."""
    ln2 = math.log(2)
    q, k, v = [[ln2, 0.0], [0.0, ln2]], [[1.0, 0.0], [1.0, 2.0]], [[15.0, 0.0], [0.0, 6.0]]
    values = {
        "in_proj_weight": [*q, *k, *v],
        "in_proj_bias": [ln2, 0.0, 0.0, 0.0, 1.0, -1.0],
        "out_proj.weight": [[1.0, 1.0], [0.0, -1.0]],
        "out_proj.bias": [50.0, 10.0],
    }
    return loaded(values, 2, device)


def large(device: str, num_heads: int = 2) -> Any:
    """The layer of four features of the tests of multi_head_attention."""
    values = {
        "in_proj_weight": 2 * waves(12, 4),
        "in_proj_bias": waves(12)[::-1],
        "out_proj.weight": waves(5, 4)[1:],
        "out_proj.bias": waves(8)[4:],
    }
    return loaded(values, num_heads, device)


@criterion("parameters", 1, hint="Four parameters, four names, and nothing beside them. Dots come from submodules.")
def test_parameters() -> None:
    for num_heads in (1, 2):
        layer = student("attention_torch").MultiHeadAttention(4, num_heads)
        for what, tensors in (("state dictionary", layer.state_dict()), ("parameters", dict(layer.named_parameters()))):
            got = {key: tuple(value.shape) for key, value in tensors.items()}
            if got != SHAPES:
                raise Failed(f"The {what} of a layer of 4 features: got {got}, expected {SHAPES}.")


@criterion(
    "values",
    3,
    hint="It is multi_head_attention, in tensors, also for a query that sees nothing. True still means keep.",
)
def test_values() -> None:
    for device in devices():
        x, memory = tensor([[[1, 0], [0, 1]]], device), tensor([[[1, 0], [0, 1], [1, 1]]], device)
        causal = torch.tensor([[True, False], [True, True]], device=device)
        equal(small(device)(x), tensor([[[65, 8], [64, 7]]], "cpu"), what=f"y on {device}")
        equal(small(device)(x, mask=causal), tensor([[[65, 11], [64, 7]]], "cpu"), what=f"y, masked, on {device}")
        want = tensor([[[43 / 3 + 53, 7], [13 + 29 / 7 + 50, 41 / 7]]], "cpu")
        equal(small(device)(x, memory), want, what=f"y from a memory on {device}")
        mask = torch.tensor([[[False, False, False], [True, True, False]]], device=device)
        want = tensor([[[50, 10], [64, 7]]], "cpu")
        equal(small(device)(x, memory, mask), want, what=f"y of a blind query on {device}")
        padded = torch.tensor([[True, True], [False, True]], device=device)[:, None, None]
        want = tensor([[[65, 8], [64, 7]], [[56, 5], [56, 5]]], "cpu")
        equal(
            small(device)(torch.cat([x, x]), mask=padded), want, what=f"y, with a mask for each sequence, on {device}"
        )
        rows = [  # the middle token of each of two sequences
            [-0.48011135784, -2.447898602576, -2.658752022879, -1.262985591408],
            [2.224222974383, -2.897262902336, -0.053389155826, -2.406053693788],
        ]
        y = large(device)(tensor(waves(2, 3, 4), device))
        equal(y[:, 1], tensor(rows, "cpu"), rtol=1e-8, what=f"The middle row of y on {device}")
        x = tensor(waves(2, 3, 4), device)
        once, again = (large(device)(x, mask=None) for _ in range(2))
        equal(again, once.cpu(), what=f"y on {device}, asked a second time,")


@criterion(
    "gradients",
    2,
    hint="Are the values right? Tensor operations only. What is the derivative of a row of minus infinities?",
)
def test_gradients() -> None:
    everywhere = {
        "x": 31.459560802025145,
        "in_proj_weight": 6.252188594367077,
        "in_proj_bias": -0.582375300277695,
        "out_proj.weight": -16.442839922686943,
        "out_proj.bias": 3.620074087444825,
    }
    blind = {
        "x": 10.87881238042207,
        "in_proj_weight": 2.4911990817144205,
        "in_proj_bias": -1.0803075146653995,
        "out_proj.weight": -12.341634472575636,
        "out_proj.bias": 3.620074087444825,
    }
    for device in devices():
        mask = torch.tensor([[True, False, False], [False, False, False], [True, True, True]], device=device)
        for keep, slopes, case in (
            (None, everywhere, "without a mask"),
            (mask, blind, "with a blind query"),
        ):
            layer, x = large(device), tensor(waves(2, 3, 4), device).requires_grad_()
            y = layer(x, mask=keep)
            if not getattr(y, "requires_grad", False):
                raise Failed("y does not depend on the parameters for autograd: backward has nothing to follow.")
            y.backward(tensor(waves(2, 3, 4, of=np.cos), device))
            leaves = {"x": x, **dict(layer.named_parameters())}
            for key, want in slopes.items():
                gradient = leaves[key].grad
                if gradient is None:
                    raise Failed(f"{key} receives no gradient: y does not depend on it for autograd.")
                slope = float(np.sum(gradient.cpu().numpy() * waves(*gradient.shape, of=np.cos)))
                equal(slope, want, rtol=1e-8, what=f"The slope along {key} {case} on {device}")
