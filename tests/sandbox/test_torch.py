"""The sandbox whose runtime is PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.outcome import Malformed, Raised, Stopped
from autograder.sandbox.host import Zygote
from autograder.sandbox.wire import Tensor
from tests.sandbox.zygotes import ask


def test_tensors_of_every_kind(torch_box: Zygote) -> None:
    code = """
        import torch
        def f(x):
            w = torch.tensor(x, requires_grad=True)
            (w ** 2).sum().backward()
            return [w * 1, w.grad, w.detach().to(torch.bfloat16), torch.tensor([1 + 2j]).conj().imag,
                    torch.nn.Parameter(w.detach().T), torch.zeros(0, 3), float(w.sum()), w.detach().numpy()]
    """
    x = np.arange(6.0).reshape(2, 3)
    tree = ask(torch_box, code, x).tree
    assert [type(value) for value in tree] == [Tensor] * 6 + [float, np.ndarray]
    for got, want in zip(tree, (x, 2 * x, x, [-2], x.T, np.zeros((0, 3)), 15.0, x), strict=True):
        assert np.array_equal(got, want)


def test_torch_trains_saves_and_multiplies(torch_box: Zygote, isolation: str) -> None:
    code = """
        import io, torch
        def f(target):
            layers = [torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 3)]
            net = torch.nn.Sequential(*layers)
            optimizer = torch.optim.Adam(net.parameters())
            data = torch.utils.data.TensorDataset(torch.randn(8, 1, 8, 8))
            for (x,) in torch.utils.data.DataLoader(data, batch_size=4, shuffle=True):
                optimizer.zero_grad()
                net(x).pow(2).mean().backward()
                optimizer.step()
            target = target or io.BytesIO()
            torch.save(net.state_dict(), target)
            if not isinstance(target, str):
                target.seek(0)
            net.load_state_dict(torch.load(target))
            torch.set_num_threads(4)
            return [list(net.parameters()), (torch.ones(400, 400) @ torch.ones(400, 400)).sum()]
    """
    parameters, total = ask(torch_box, code, "net.pt" if isolation == "namespaces" else None).tree
    assert len(parameters) == 4
    assert total == 400**3


@pytest.mark.parametrize(
    "body",
    [
        "list(torch.utils.data.DataLoader(torch.arange(8.0), num_workers=2))",
        "torch.ones(2, device='cuda')",
        "torch.hub.load('pytorch/vision', 'resnet18')",
        "import scipy",
        "torch.ones(2**40)",
        "torch.multiprocessing.spawn(int, nprocs=2)",
        "import torch.utils.cpp_extension as c; c.load_inline('x', 'int f() { return 1; }')",
    ],
)
def test_what_torch_may_not_do_fails_as_an_exception(torch_box: Zygote, body: str) -> None:
    assert isinstance(ask(torch_box, f"import torch\ndef f():\n    {body}\n").outcome, Raised)


NO_ARRAYS = ["torch.eye(2).to_sparse()", "torch.ones(2, device='meta')", "torch.ones(2, dtype=torch.float8_e4m3fn)"]


@pytest.mark.parametrize(
    "value", ["torch.max(torch.tensor([1, 7]), 0)", "collections.OrderedDict(a=torch.ones(2))", "net.state_dict()"]
)
def test_named_tuples_and_dictionaries_of_torch_are_trees(torch_box: Zygote, value: str) -> None:
    code = f"import collections, torch\nnet = torch.nn.Linear(1, 1)\ndef f():\n    return {value}\n"
    assert type(ask(torch_box, code).tree) in (tuple, dict)


@pytest.mark.parametrize("value", [*NO_ARRAYS, "torch.nn.Linear(1, 1)", "torch.float32"])
def test_tensors_that_hold_no_array_are_malformed(torch_box: Zygote, value: str) -> None:
    outcome = ask(torch_box, f"import torch\ndef f():\n    return {value}\n").outcome
    assert isinstance(outcome, Malformed), outcome


def test_hostile_tensor_subclasses_are_contained(torch_box: Zygote) -> None:
    code = """
        import torch
        class Always(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return True
            def detach(self):
                raise SystemExit("passed")
        def f():
            return torch.ones(3).as_subclass(Always)
    """
    outcome = ask(torch_box, code).outcome
    assert isinstance(outcome, Malformed | Raised | Stopped)
