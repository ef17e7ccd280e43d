"""Values between judge and child: a msgpack skeleton followed by raw array bytes. Nothing is ever unpickled.

``decode`` is a trust boundary: it raises :class:`WireError` and nothing else, whatever the bytes. The module stands
alone, since it is also bound into the sandbox.
"""

from __future__ import annotations

import math
import re
import struct
import sys
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np

MAX_FRAME = 64 << 20
MAX_SKELETON = 2 << 20
MAX_NODES = 100_000
MAX_KEYS = 256  # a dictionary is rebuilt by hashing: many colliding keys would be a denial of service
MAX_DEPTH = 24
MAX_NDIM = 32
MAX_STRING = 1 << 20
MAX_DETAIL = 500  # characters of the description in a reply
MAX_OBJECTS = 64 << 20  # bytes of objects around the bytes of arrays
# Of an array without entries, the product of the other lengths: what a sum over an empty axis would have as entries.
# Those lengths are of a question's arrays, whose products are some thousands.
MAX_AROUND_NOTHING = 1 << 20
_ARRAY, _DIMENSION, _CONTAINER, _ITEM, _LEAF = 200, 16, 64, 16, 48  # bytes that CPython and NumPy take, roughly
_DTYPE = re.compile(r"[<|](b1|[iu][1248]|f[248]|c8|c16)\Z")
_HEADER = struct.Struct("<I")


class WireError(ValueError):
    """The value cannot travel, or the bytes are not an encoded value."""


class Tensor(np.ndarray):
    """An array that the child held as a ``torch.Tensor``."""


def encode(value: Any) -> bytes:
    """Bytes of a tree of dict, list, tuple, str, int, float, bool, None, arrays and (as arrays) tensors.

    Raises:
        WireError: the value holds something else, or more than ``decode`` would accept.
    """
    try:
        return _Encoder(value).frame()
    except WireError:
        raise
    except Exception as error:  # a hostile object can raise anything when it is looked at
        raise WireError(f"a value that cannot be read ({type(error).__name__})") from None


class Prepared:
    """A value that is sent many times, as part of others: it is looked at once.

    Raises:
        WireError: as for ``encode``.
    """

    def __init__(self, value: Any) -> None:
        encoder = _Encoder(value)
        self.node, self.blobs = encoder.node, encoder.blobs
        self.nodes, self.objects = encoder.nodes, encoder.objects


class _Encoder:
    def __init__(self, value: Any) -> None:
        self.blobs: list[bytes] = []
        self.nodes = self.objects = 0
        self.node = self._pack(value, 0)

    def frame(self) -> bytes:
        skeleton = msgpack.packb(self.node)
        size = _HEADER.size + len(skeleton) + sum(map(len, self.blobs))
        if len(skeleton) > MAX_SKELETON or size > MAX_FRAME:
            raise WireError("a value that is too large")
        return b"".join([_HEADER.pack(len(skeleton)), skeleton, *self.blobs])

    def _pack(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise WireError("a value that is nested too deeply")
        if self.nodes > MAX_NODES:
            raise WireError("a value of too many parts")
        kind = type(value)
        if kind is Prepared:
            self.blobs += value.blobs
            self.nodes, self.objects = self.nodes + value.nodes, self.objects + value.objects
            return value.node
        if value is None or kind in (bool, float, str) or (kind is int and -(2**63) <= value < 2**63):
            if kind is str and len(value) > MAX_STRING:
                raise WireError("a string that is too long")
            return value
        for base in (list, tuple):  # also subclasses: a namedtuple of gradients is a fair answer
            if issubclass(kind, base):
                return [base.__name__, [self._pack(item, depth + 1) for item in base.__iter__(value)]]
        if issubclass(kind, dict):
            pairs = [[self._pack(k, depth + 1), self._pack(v, depth + 1)] for k, v in dict.items(value)]
            if len(pairs) > MAX_KEYS:
                raise WireError("a dictionary of too many keys")
            return ["dict", pairs]
        return self._array(value)

    def _array(self, value: Any) -> list[Any]:
        tag = "tensor" if issubclass(type(value), Tensor) else "array"
        torch = sys.modules.get("torch")
        if torch is not None and issubclass(type(value), torch.Tensor):
            tag, value = "tensor", value.detach().cpu().resolve_conj().resolve_neg()
            value = (value.float() if value.dtype == torch.bfloat16 else value).numpy()
        if not issubclass(type(value), np.ndarray | np.generic):
            raise WireError(f"a value of type {type(value).__name__}")
        array = np.ndarray.view(value, np.ndarray) if issubclass(type(value), np.ndarray) else np.asarray(value)
        if array.dtype.kind == "f" and array.dtype.itemsize > 8:  # a longdouble, whose bytes no two platforms share
            with np.errstate(over="ignore"):
                array = array.astype(np.float64)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        if not _DTYPE.match(array.dtype.str):
            raise WireError(f"an array of dtype {array.dtype}")
        if array.ndim > MAX_NDIM or _extent(array.shape) > MAX_FRAME:
            raise WireError("an array of too many dimensions or too large a size")
        if not array.size and _extent(array.shape) > MAX_AROUND_NOTHING:
            raise WireError("an array without entries, but of a huge shape")
        layout = [] if array.flags.c_contiguous else ["gaps"]
        self.objects += _objects(array.ndim, tag, *layout)
        if self.objects > MAX_OBJECTS:
            raise WireError("a value of too many arrays")
        self.blobs.append(array.tobytes())
        return [tag, array.dtype.str, list(array.shape), *layout]


def decode(frame: bytes | bytearray) -> Any:
    """The value that ``encode`` was given; tensors come back as :class:`Tensor`, NumPy scalars as 0-d arrays.

    An array that was not contiguous comes back with gaps between its elements, whatever its strides were.

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
        self.body, self.offset, self.nodes, self.objects = memoryview(frame)[start:], 0, 0, 0
        limits = {"max_array_len": MAX_NODES, "max_map_len": 0, "max_ext_len": 0, "max_bin_len": 0}
        skeleton = msgpack.unpackb(frame[_HEADER.size : start], **limits)
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
        return self._array(tag, *rest)

    def _array(self, tag: str, code: str, shape: list[int], layout: str = "") -> np.ndarray:
        if tag not in ("array", "tensor") or not _DTYPE.match(code) or len(shape) > MAX_NDIM:
            raise WireError("bad array header")
        if any(type(n) is not int or n < 0 for n in shape):
            raise WireError("bad array shape")
        dtype, count = np.dtype(code), math.prod(shape)
        size = count * dtype.itemsize
        if self.offset + size > len(self.body) or _extent(shape) > (MAX_FRAME if count else MAX_AROUND_NOTHING):
            raise WireError("bad array size")
        self.objects += _objects(len(shape), tag, layout)
        if self.objects > MAX_OBJECTS:
            raise WireError("too many arrays")
        raw = np.dtype("u1") if dtype.kind == "b" else dtype  # a forged boolean byte could be neither 0 nor 1
        flat = np.frombuffer(self.body[self.offset : self.offset + size], raw)
        self.offset += size
        array = (flat != 0 if dtype.kind == "b" else flat.copy()).reshape(shape)
        if layout == "gaps":
            array = np.repeat(array, 2, axis=-1)[..., ::2]
        return array.view(Tensor) if tag == "tensor" else array


def weight(tree: Any) -> int:
    """Bytes of memory that a decoded value takes, roughly, with its containers and the objects around its arrays.

    At least what the array takes that a check could make of all its texts: each entry is as long as the longest.
    """
    size = leaves = longest = 0
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, np.ndarray):
            leaves += 1
            while isinstance(node, np.ndarray):  # a view holds its base
                size += _ARRAY + _DIMENSION * node.ndim + (0 if isinstance(node.base, np.ndarray) else node.nbytes)
                node = node.base
        elif isinstance(node, list | tuple):
            size += _CONTAINER + _ITEM * len(node)
            todo += node
        elif isinstance(node, dict):
            size += 2 * (_CONTAINER + 2 * _ITEM * len(node))
            todo += [*node.keys(), *node.values()]
        else:
            leaves += 1
            size += _LEAF
            if isinstance(node, str):
                size += 4 * len(node)
                longest = max(longest, len(node))
    return max(size, 4 * leaves * longest)


def _extent(shape: Sequence[int]) -> int:
    """The product of an array's lengths other than 0."""
    return math.prod(length for length in shape if length)


def _objects(ndim: int, tag: str, layout: str = "") -> int:
    """Bytes of the objects around an array's bytes, as ``decode`` makes them."""
    copies = 1 + (tag == "tensor") + (layout == "gaps")
    return copies * (_ARRAY + _DIMENSION * ndim)
