"""Values between judge and child: a msgpack skeleton followed by raw array bytes. Nothing is ever unpickled.

``decode`` is a trust boundary: it raises :class:`WireError` and nothing else, whatever the bytes. The module stands
alone, since it is also bound into the sandbox.
"""

from __future__ import annotations

import math
import re
import struct
import sys
from typing import Any

import msgpack
import numpy as np

MAX_FRAME = 64 << 20
MAX_SKELETON = 2 << 20
MAX_NODES = 100_000
MAX_KEYS = 2_000  # a dictionary is rebuilt by hashing: many colliding keys would be a denial of service
MAX_DEPTH = 24
_DTYPE = re.compile(r"[<|](b1|[iu][1248]|f[248]|c8|c16)\Z")
_HEADER = struct.Struct("<I")


class WireError(ValueError):
    """The value cannot travel, or the bytes are not an encoded value."""


class Tensor(np.ndarray):
    """An array that the child held as a ``torch.Tensor``."""


def encode(value: Any) -> bytes:
    """Bytes of a tree of dict, list, tuple, str, int, float, bool, None, arrays and (as arrays) tensors."""
    blobs: list[bytes] = []
    skeleton = msgpack.packb(_pack(value, blobs, 0))
    if len(skeleton) > MAX_SKELETON or _HEADER.size + len(skeleton) + sum(map(len, blobs)) > MAX_FRAME:
        raise WireError("a value that is too large")
    return b"".join([_HEADER.pack(len(skeleton)), skeleton, *blobs])


def _pack(value: Any, blobs: list[bytes], depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise WireError("a value that is nested too deeply")
    kind = type(value)
    if value is None or kind in (bool, float, str) or (kind is int and -(2**63) <= value < 2**63):
        return value
    if kind in (list, tuple):
        return [kind.__name__, [_pack(item, blobs, depth + 1) for item in value]]
    if kind is dict:
        return ["dict", [[_pack(k, blobs, depth + 1), _pack(v, blobs, depth + 1)] for k, v in value.items()]]
    tag, array = "array", value
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        tag, array = "tensor", value.detach().cpu().resolve_conj().resolve_neg()
        array = (array.float() if array.dtype == torch.bfloat16 else array).numpy()
    if not isinstance(array, np.ndarray | np.generic):
        raise WireError(f"a value of type {kind.__name__}")
    array = np.asarray(array)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if not _DTYPE.match(array.dtype.str):
        raise WireError(f"an array of dtype {array.dtype}")
    blobs.append(array.tobytes())
    return [tag, array.dtype.str, list(array.shape)]


def decode(frame: bytes | bytearray) -> Any:
    """The value that ``encode`` was given; tensors come back as :class:`Tensor`, NumPy scalars as 0-d arrays.

    Raises:
        WireError: for every other input, before any large allocation.
    """
    try:
        return _Decoder(frame).value
    except WireError:
        raise
    except Exception as error:  # msgpack, struct and NumPy raise many types on garbage
        raise WireError(f"malformed frame ({type(error).__name__})") from None


class _Decoder:
    def __init__(self, frame: bytes | bytearray) -> None:
        (size,) = _HEADER.unpack_from(frame)
        start = _HEADER.size + size
        if size > MAX_SKELETON or start > len(frame):
            raise WireError("bad frame header")
        self.body, self.offset, self.nodes = memoryview(frame)[start:], 0, 0
        skeleton = msgpack.unpackb(frame[_HEADER.size : start], max_array_len=MAX_NODES, max_map_len=0, max_ext_len=0)
        self.value = self._unpack(skeleton, 0)
        if self.offset != len(self.body):
            raise WireError("trailing bytes")

    def _unpack(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH + 1:
            raise WireError("too many nodes")
        if not isinstance(node, list):
            if isinstance(node, bytes):
                raise WireError("bytes are not a value")
            return node
        tag, *rest = node
        if tag in ("list", "tuple"):
            (items,) = rest
            values = [self._unpack(item, depth + 1) for item in items]
            return values if tag == "list" else tuple(values)
        if tag == "dict":
            (pairs,) = rest
            if len(pairs) > MAX_KEYS:
                raise WireError("too many keys")
            return {self._unpack(k, depth + 1): self._unpack(v, depth + 1) for k, v in pairs}
        dtype, shape = rest
        return self._array(tag, dtype, shape)

    def _array(self, tag: str, code: str, shape: list[int]) -> np.ndarray:
        if tag not in ("array", "tensor") or not _DTYPE.match(code) or len(shape) > 32:
            raise WireError("bad array header")
        if any(type(n) is not int or n < 0 for n in shape):
            raise WireError("bad array shape")
        dtype, count = np.dtype(code), math.prod(shape)
        size = count * dtype.itemsize
        if self.offset + size > len(self.body) or max(shape, default=0) > MAX_FRAME:
            raise WireError("bad array size")
        raw = np.dtype("u1") if dtype.kind == "b" else dtype  # a forged boolean byte could be neither 0 nor 1
        flat = np.frombuffer(self.body[self.offset : self.offset + size], raw)
        self.offset += size
        array = (flat != 0 if dtype.kind == "b" else flat.copy()).reshape(shape)
        return array.view(Tensor) if tag == "tensor" else array
