from __future__ import annotations

import math
import weakref
from typing import Any

import torch
from checks import Failed, criterion, devices, equal, student
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

OK_FORMAT, name = False, "chunked_attention"
bonus = True


def counting(device: str) -> tuple[Tensor, Tensor, Tensor]:
    """Five tokens; the scaled scores of the second head are ln 2 times the place of the key, those of the first 0."""
    q, k, v = (torch.zeros(1, 2, 5, size, dtype=torch.float64) for size in (4, 4, 2))
    q[0, 1, :, 2] = 2 * math.log(2)
    k[..., 2] = torch.arange(5)
    v[..., 0], v[..., 1] = 2.0 ** -torch.arange(5), torch.tensor([31.0, 0.0, 0.0, 0.0, 0.0])
    return q.to(device), k.to(device), v.to(device)


class Meter(TorchDispatchMode):
    """The most bytes that tensors held at one time, arguments not counted."""

    def __init__(self, *arguments: Tensor) -> None:
        super().__init__()
        self.users = {a.untyped_storage()._cdata: 1 for a in arguments}  # tensors that use a storage
        self.held = self.peak = 0

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(result):
            if hasattr(tensor, "untyped_storage"):
                storage = tensor.untyped_storage()
                key, size = storage._cdata, storage.nbytes()
                self.held += 0 if self.users.get(key) else size
                self.users[key] = self.users.get(key, 0) + 1
                weakref.finalize(tensor, self.release, key, size)
        self.peak = max(self.peak, self.held)
        return result

    def release(self, key: int, size: int) -> None:
        self.users[key] -= 1
        self.held -= 0 if self.users[key] else size


@criterion(
    "values",
    4,
    hint="Same scale, all keys, as in the plain form. Which queries are in the last chunk, and what is their past?",
)
def test_values() -> None:
    everywhere = torch.tensor([[[[31 / 80, 31 / 5]] * 5, [[5 / 31, 1.0]] * 5]], dtype=torch.float64)
    seen = torch.arange(1.0, 6.0, dtype=torch.float64)
    mean, total = 2 * (1 - 2**-seen) / seen, 2**seen - 1
    causal = torch.stack([torch.stack([mean, 31 / seen], -1), torch.stack([seen / total, 31 / total], -1)])[None]
    for device in devices():
        for chunk in (1, 2, 3, 5, 9):
            for is_causal, want in ((False, everywhere), (True, causal)):
                got = student("attention_torch").chunked_attention(*counting(device), chunk=chunk, is_causal=is_causal)
                what = f"The result {'with' if is_causal else 'without'} the causal mask, chunk {chunk}, on {device},"
                equal(got, want, what=what)


@criterion("memory", 2, hint="Which tensors are still there when the next chunk begins? Count their numbers.")
def test_memory() -> None:
    for device in devices():
        for is_causal in (False, True):
            torch.manual_seed(1)
            q, k, v = (torch.randn(2, 2, 256, size, device=device) for size in (3, 3, 2))
            with torch.no_grad(), Meter(q, k, v) as meter:
                out = student("attention_torch").chunked_attention(q, k, v, chunk=8, is_causal=is_causal)
            with torch.no_grad():
                want = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal).cpu()
            equal(out, want, rtol=1e-4, what=f"The result for 256 tokens on {device}")
            share = meter.peak / (4 * 256**2 * q.element_size())
            if not share < 0.5:
                raise Failed(f"At its peak the call holds {share:.2f} of the T x T matrices, expected less than 0.5.")
