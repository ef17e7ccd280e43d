"""The wire format: everything allowed survives, everything else is refused, and no bytes do any harm."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import random
import struct
import subprocess
import sys
import tracemalloc
from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any

import msgpack
import numpy as np
import pytest
import torch

from autograder.sandbox import wire
from autograder.sandbox.wire import MAX_AROUND_NOTHING, Tensor, WireError, decode, encode, weight

MIB = 1 << 20
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
SAMPLE = {
    "a": [np.arange(6.0).reshape(2, 3), (1, "é", None, True)],
    2: np.array([True, False]),
    (1, "k"): {"nested": -0.5, None: np.float32(3)},
    "empty": np.zeros((0, 4), np.int8),
}


def round_trip(value: Any) -> Any:
    return decode(encode(value))


def frame(skeleton: Any, body: bytes = b"") -> bytes:
    """A frame as a hostile child would write it."""
    packed = skeleton if isinstance(skeleton, bytes) else msgpack.packb(skeleton)
    return struct.pack("<I", len(packed)) + packed + body


def array(shape: Any, body: bytes = b"", dtype: Any = "<f8", tag: Any = "array") -> bytes:
    return frame([tag, dtype, shape], body)


def same(a: Any, b: Any) -> bool:
    """Equal in type, structure, dtype, shape and bits."""
    if isinstance(a, np.ndarray):
        return type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


# What survives


NUMBERS = [True, False, 0, -1, 2**63 - 1, -(2**63), 0.0, 1.5, 5e-324, 1e308, float("inf")]
STRINGS = ["", "a\0b", "卷积 🙂", "\U0010ffff"]


@pytest.mark.parametrize("value", [None, *NUMBERS, *STRINGS], ids=repr)
def test_scalars_keep_type_and_value(value: Any) -> None:
    assert same(round_trip(value), value)


class Row(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        return iter("lies")


class Record(dict[str, Any]):
    def items(self) -> Any:
        return [("a", "lie")]


Pair = namedtuple("Pair", "x y")
SUBCLASSES = [(Pair(1, 2), (1, 2)), (OrderedDict(a=1), {"a": 1}), (Row([1]), [1]), (Record(a=1), {"a": 1})]


@pytest.mark.parametrize(("value", "plain"), SUBCLASSES)
def test_containers_of_other_types_travel_as_what_they_hold(value: Any, plain: Any) -> None:
    assert same(round_trip(value), plain)


def test_signs_and_payloads_of_floats_survive() -> None:
    bits = np.array([0x8000000000000000, 0x7FF8000000000001, 0xFFF8DEADBEEF0000], np.uint64)
    assert round_trip(bits.view(np.float64)).tobytes() == bits.tobytes()
    assert str(round_trip(-0.0)) == "-0.0"
    assert np.isnan(round_trip(float("nan")))


MANY_KEYS = {1: 2, 1.5: 3, None: 4, "1": 5, (1, (2, "x")): 6, False: 7, (): 8}


@pytest.mark.parametrize("value", [[], (), {}, [[]], ((), [()]), {"a": {"b": ({},)}}, MANY_KEYS], ids=repr)
def test_containers_keep_type_order_and_keys(value: Any) -> None:
    assert same(round_trip(value), value)


def test_whole_trees_survive() -> None:
    arrived = round_trip(SAMPLE)
    assert list(arrived) == list(SAMPLE)
    assert same(arrived["a"], SAMPLE["a"])
    assert same(arrived[(1, "k")], {"nested": -0.5, None: np.array(3, np.float32)})
    assert encode(arrived) == encode(SAMPLE)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (0,), (3, 0, 2), (2, 3, 4)], ids=str)
def test_arrays_keep_dtype_shape_and_bits(dtype: str, shape: tuple[int, ...]) -> None:
    raw = np.random.default_rng(0).integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8)
    value = raw.view(dtype).reshape(shape) if dtype != "?" else np.asarray(raw.reshape(shape) > 127)
    arrived = round_trip(value)
    assert same(arrived, value)
    assert arrived.flags.owndata or arrived.base.flags.owndata  # not a view of the frame, which may be reused


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_scalars_become_arrays_without_dimensions(dtype: str) -> None:
    assert same(round_trip(np.dtype(dtype).type(1)), np.array(1, dtype))


def test_arrays_may_be_written_to() -> None:
    bits, numbers = round_trip((np.array([True, False]), np.zeros(3)))
    bits[0], numbers[0] = False, 7
    assert not bits.any()
    assert numbers[0] == 7


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::2, ::-1],
        lambda x: x.T,
        lambda x: np.asfortranarray(x),
        lambda x: x.astype(">f8"),
        lambda x: np.broadcast_to(x[0], (5, 6)),
        lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 3)),
        lambda x: x.reshape(2, 2, 6).swapaxes(0, 2),
        lambda x: x.astype("M8[s]").view("i8"),
    ],
)
def test_layout_and_byte_order_change_no_value(view: Any) -> None:
    value = view(np.arange(24.0).reshape(4, 6))
    arrived = round_trip(value)
    assert np.array_equal(arrived, value)
    assert arrived.dtype.isnative
    assert arrived.flags.c_contiguous == value.flags.c_contiguous  # a student's code must take any strides


def test_array_subclasses_travel_as_what_they_hold(tmp_path: Any) -> None:
    on_disk = np.memmap(tmp_path / "x", np.float64, "w+", shape=3)
    on_disk[:] = [1, 2, 3]
    for value in (on_disk, np.ma.array([1.0, 2, 3], mask=[0, 1, 0])):
        assert same(round_trip(value), np.array([1.0, 2, 3]))


class Agreeable(np.ndarray):
    """Equal to everything, unless the wire strips it."""

    def __eq__(self, other: object) -> Any:
        return np.ones(self.shape, bool)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.full(self.shape, 42.0)

    def __array_function__(self, *_: Any, **__: Any) -> Any:
        return True

    def tobytes(self, *_: Any) -> bytes:
        return b"\xff" * self.nbytes


def test_hostile_array_subclasses_arrive_as_plain_arrays() -> None:
    assert same(round_trip(np.zeros(2).view(Agreeable)), np.zeros(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.arange(6.0).reshape(2, 3),
        lambda: torch.arange(6).reshape(2, 3).T,
        lambda: torch.tensor(2.5, dtype=torch.float64),
        lambda: torch.zeros(0, 3),
        lambda: torch.tensor([True, False]),
        lambda: torch.arange(4, dtype=torch.uint8)[::2],
        lambda: torch.ones(3, dtype=torch.float16),
        lambda: torch.ones(2, requires_grad=True) * 3,
        lambda: torch.nn.Parameter(torch.ones(2, 2)),
        lambda: torch.tensor([1 + 2j]).conj(),
        lambda: torch.tensor([1 + 2j]).conj().imag,  # a negated view
        lambda: torch.ones(4, 1).expand(4, 5),
    ],
)
def test_tensors_arrive_as_arrays_that_say_they_were_tensors(make: Any) -> None:
    value = make()
    arrived = round_trip([value])[0]
    assert type(arrived) is Tensor
    assert torch.equal(torch.from_numpy(np.array(arrived)), value.detach().resolve_conj().resolve_neg())


def test_bfloat16_arrives_as_float32() -> None:
    arrived = round_trip(torch.tensor([1.0, 2.5, -3], dtype=torch.bfloat16))
    assert type(arrived) is Tensor
    assert same(np.asarray(arrived), np.array([1, 2.5, -3], np.float32))


def test_longdouble_arrives_as_float64() -> None:
    third = np.longdouble(1) / 3
    assert same(round_trip(third), np.array(1 / 3))
    assert same(round_trip([np.full((2, 3), third)]), [np.full((2, 3), 1 / 3)])
    with np.errstate(all="raise"):
        assert same(round_trip(np.array(["-1e400", "nan"], np.longdouble)), np.array([-np.inf, np.nan]))


# What is refused


class Number(float):
    pass


class Whole(int):
    pass


class Text(str):
    __slots__ = ()


class Anything:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *_: Any, **__: Any) -> Any:
        return np.zeros(3)

    @property
    def __class__(self) -> Any:
        return dict


def endless() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


def endless_dictionary() -> Any:
    value: dict[str, Any] = {}
    value["self"] = (value,)
    return value


def nested(depth: int) -> Any:
    value: Any = 1.0
    for _ in range(depth):
        value = [value]
    return value


REFUSED = {
    "object": object(),
    "function": len,
    "lambda": lambda: 0,
    "type": float,
    "generator": (i for i in range(3)),
    "range": range(3),
    "set": {1, 2},
    "bytes": b"abc",
    "bytearray": bytearray(3),
    "memoryview": memoryview(b"abc"),
    "Python complex": 1j,
    "int above int64": 2**63,
    "int below int64": -(2**63) - 1,
    "int of a million bits": 1 << 1_000_000,
    "object array": np.array([1, "a", None], object),
    "object scalar array": np.array(None, object),
    "structured array": np.zeros(2, [("a", "f8"), ("b", "i4")]),
    "record array": np.rec.array([(1, 2.0)]),
    "void": np.zeros(2, "V8"),
    "zero-size void": np.zeros(2, "V0"),
    "datetime": np.array(["2020-01-01"], "M8[D]"),
    "timedelta": np.timedelta64(1, "s"),
    "str array": np.array(["a", "bc"]),
    "str scalar": np.str_("a"),
    "bytes array": np.array([b"a"]),
    "StringDType": np.array(["a"], np.dtypes.StringDType()),
    "clongdouble": np.ones(2, np.clongdouble),
    "float subclass": Number(1),
    "int subclass": Whole(1),
    "str subclass": Text("a"),
    "object with a false __class__": Anything(),
    "self-referencing list": endless(),
    "self-referencing dictionary": endless_dictionary(),
    "too deep": nested(25),
    "recursion-deep": nested(500),
    "surrogate string": "\ud800",
    "surrogate key": {"\udfff": 1},
    "array key": {(1,): [object()]},
    "too large an array": np.zeros(wire.MAX_FRAME, np.uint8),
    "too long a string": "a" * wire.MAX_SKELETON,
    "sparse tensor": torch.eye(3).to_sparse(),
    "meta tensor": torch.zeros(3, device="meta"),
    "float8 tensor": torch.zeros(3, dtype=torch.float8_e4m3fn),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: ({"a": [v]},)], ids=["bare", "inside"])
def test_everything_else_is_refused(name: str, wrap: Any) -> None:
    with pytest.raises(WireError):
        encode(wrap(REFUSED[name]))


class Refusing:
    """Not even its type can be asked for."""

    def __getattribute__(self, name: str) -> Any:
        raise KeyError(name)


def test_objects_that_fail_when_looked_at_are_refused() -> None:
    with pytest.raises(WireError):
        encode([Refusing()])


def test_the_deepest_value_that_travels() -> None:
    assert same(round_trip(nested(wire.MAX_DEPTH)), nested(wire.MAX_DEPTH))
    key: Any = ()
    for _ in range(wire.MAX_DEPTH - 1):
        key = (key,)
    assert same(round_trip({key: 1}), {key: 1})


@pytest.mark.parametrize(
    "value",
    [
        [0.0] * 120_000,
        [[0.0] * 400] * 300,
        {i: i for i in range(wire.MAX_KEYS + 1)},
        np.zeros((1,) * 40),
        np.zeros((0, 10**9)),
        np.zeros((0, 1 << 20, 2)),
        [np.zeros((0,) * 30)] * 50_000,
        [np.zeros((2,) * 3)[::2]] * 50_000,
        [{}] * 99_999,
        ["x" * 10**6] * 3,
        "卷" * 10**6,
    ],
    ids=[
        "long list",
        "many rows",
        "many keys",
        "40 dimensions",
        "empty but huge shape",
        "empty but large shape",
        "many empty arrays",
        "many arrays with gaps",
        "as many as may be",
        "long strings",
        "wide string",
    ],
)
def test_what_is_encoded_can_be_decoded(value: Any) -> None:
    """Else an honest value too large for the wire would look like a disturbed connection."""
    try:
        sent = encode(value)
    except WireError:
        return
    decode(sent)


def test_pickles_are_only_bytes() -> None:
    for sent in (b"\x80\x04\x95\x0b\0\0\0\0\0\0\0\x8c\x02os\x94.", frame(["array", "|O", [1]], b"\0" * 8)):
        with pytest.raises(WireError):
            decode(sent)


# Malformed frames


@pytest.fixture(scope="module")
def sample() -> bytes:
    return encode(SAMPLE)


def test_truncation_at_every_byte_is_refused(sample: bytes) -> None:
    for end in range(len(sample)):
        with pytest.raises(WireError):
            decode(sample[:end])
        with pytest.raises(WireError):
            decode(bytearray(sample[:end]))


def test_trailing_bytes_are_refused(sample: bytes) -> None:
    for tail in (b"\0", b"\xc0", sample):
        with pytest.raises(WireError):
            decode(sample + tail)
    with pytest.raises(WireError):
        decode(frame(msgpack.packb(1) + b"\xc0"))


def mutants(sample: bytes, count: int) -> Iterator[bytes]:
    rng = random.Random(1)
    special = [0, 1, 0x7F, 0x80, 0x90, 0xA0, 0xC0, 0xC1, 0xC4, 0xC7, 0xCB, 0xCF, 0xD4, 0xDC, 0xDD, 0xDF, 0xFF]
    for _ in range(count):
        data = bytearray(sample)
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            at = rng.randrange(len(data))
            match rng.randrange(6):
                case 0:
                    data[at] ^= 1 << rng.randrange(8)
                case 1:
                    data[at] = rng.choice(special)
                case 2:
                    del data[at : at + rng.randrange(1, 9)]
                case 3:
                    data[at:at] = bytes(rng.choices(special, k=rng.randrange(1, 9)))
                case 4:
                    other = rng.randrange(len(data))
                    data[at:at] = data[other : other + rng.randrange(1, 40)]
                case 5:
                    data[at] = rng.randrange(256)
            if not data:
                break
        if len(data) > 4 and rng.random() < 0.5:  # keep the header honest: get past the first check
            data[:4] = struct.pack("<I", rng.choice([len(data) - 4, max(0, len(sample) - 58 - 4)]))
        yield bytes(data)


def test_mutated_frames_raise_only_wire_errors(sample: bytes) -> None:
    tracemalloc.start()
    accepted = 0
    try:
        for data in mutants(sample, 20_000):
            try:
                value = decode(data)
            except WireError:
                continue
            accepted += 1
            encode_or_refuse(value)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 100 < accepted < 15_000  # the loop reaches both ends
    assert peak < 4 * MIB


def encode_or_refuse(value: Any) -> None:
    """What was decoded is a tree of plain values: it has a repr, and can be encoded or is refused."""
    repr(value)
    with contextlib.suppress(WireError):
        encode(value)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0",
        b"\0\0\0",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\x7f" + b"\x90" * 100,
        struct.pack("<I", 2**31) + b"\xc0",
        frame(b""),
        frame(b"\xc1"),
        frame([]),
        frame({"a": 1}),
        frame({"tag": "list"}),
        frame(b"abc" * 3),
        frame([1, 2, 3]),
        frame([None, []]),
        frame([["list"], []]),
        frame(["list"]),
        frame(["list", [], []]),
        frame(["list", 5]),
        frame(["list", None]),
        frame(["LIST", []]),
        frame(["set", [1]]),
        frame(["array"]),
        frame(["dict", [[1]]]),
        frame(["dict", [[1, 2, 3]]]),
        frame(["dict", 7]),
        frame(["dict", [1]]),
        frame(["dict", [[["list", []], 1]]]),
        frame(["dict", [[["dict", []], 1]]]),
        frame(["dict", [[["array", "<f8", []], 1]]], b"\0" * 8),
        frame(["dict", [[["tuple", [["list", []]]], 1]]]),
        frame(msgpack.packb(b"raw bytes")),
        frame(msgpack.packb(b"")),
        frame(["list", [b""]]),
        frame(["list", [b"raw"]]),
        frame(msgpack.packb(msgpack.ExtType(5, b"abc"))),
        frame(msgpack.packb(msgpack.Timestamp(1, 2))),
        frame(b"\xa2\xff\xfe"),
        frame(b"\xa3\xed\xa0\x80"),
        frame(b"\x92" * 2000 + b"\xc0" * 2001),
        frame(b"\xdd\xff\xff\xff\xff"),
        frame(b"\xdf\xff\xff\xff\xff"),
        frame(b"\xdb\xff\xff\xff\xff"),
        frame(b"\xc6\xff\xff\xff\xff"),
    ],
    ids=lambda sent: sent[:24].hex() or "nothing",
)
def test_garbage_is_refused(sent: bytes) -> None:
    with pytest.raises(WireError):
        decode(sent)


FORBIDDEN_DTYPES = ["O", "|O", "<O8", "|V8", "|V0", "<M8", "<M8[s]", "<m8", "<U4", "|S4", "<f16", "<c32", "object"]
MALFORMED_DTYPES = [">f8", "=f8", "f8", "<f8\n", "<f8,<f8", "<f3", "<i16", "", "<", "(2,)f8", "<f8 ", "\0<f8", "|b2"]
NOT_EVEN_STRINGS = [b"<f8", None, 8, 1.5, ["<f8"], {}]


@pytest.mark.parametrize("dtype", [*FORBIDDEN_DTYPES, *MALFORMED_DTYPES, *NOT_EVEN_STRINGS], ids=repr)
def test_forged_dtypes_are_refused(dtype: Any) -> None:
    with pytest.raises(WireError):
        decode(array([1], b"\0" * 8, dtype))


NEGATIVE = [[-1], [-1, -1], [2, -1], [0, -5]]
TOO_LARGE = [[2], [1, 2], [10**12], [2**62], [2**63], [2**64 - 1], [2**62, 4], [2**32, 2**32], [1] * 33]
EMPTY_BUT_HUGE = [[2**61, 8, 0], [0, 2**40], [2**40, 0], [0, 64 << 20, 64 << 20, 64 << 20], [0] * 40]
EMPTY_BUT_HUGE += [[1 << 26, 32, 0], [0, MAX_AROUND_NOTHING + 1], [1025, 0, 1024], [0, 2, 0, MAX_AROUND_NOTHING]]
NO_SHAPES = [[True], [1.0], ["1"], [None], [[1]], [[]], [1, None], None, 1, -1, 1.5, "a", {}]


@pytest.mark.parametrize("shape", [*NEGATIVE, *TOO_LARGE, *EMPTY_BUT_HUGE, *NO_SHAPES], ids=repr)
@pytest.mark.parametrize("tag", ["array", "tensor"])
def test_forged_shapes_are_refused_without_allocating(shape: Any, tag: str) -> None:
    sent = array(shape, b"\0" * 8, tag=tag)
    tracemalloc.start()
    try:
        with pytest.raises(WireError):
            decode(sent)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MIB


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0, 2), (0, 64, 3, 128, 32), (0, MAX_AROUND_NOTHING)], ids=str)
def test_arrays_without_entries_may_have_the_shapes_of_answers(shape: tuple[int, ...]) -> None:
    assert round_trip(np.zeros(shape)).shape == shape


TINY = [
    ["array", "<f8", []],
    ["array", "<f8", [0]],
    ["tensor", "<f8", [0] * 20, "gaps"],
    ["tensor", "|i1", [0] * 32, "gaps"],
    ["list", []],
    ["dict", []],
    ["tuple", [["list", []]]],
    ["dict", [["key", 1.5]]],
]


@pytest.mark.parametrize("unit", TINY, ids=str)
@pytest.mark.parametrize("count", [20_000, 99_000])
def test_no_reply_makes_more_objects_than_it_is_charged_for(unit: list[Any], count: int) -> None:
    sent = frame(["list", [unit] * count], bytes(8 * count if unit[-1] == [] and unit[0] == "array" else 0))
    tracemalloc.start()
    try:
        value = decode(sent)
        held, peak = tracemalloc.get_traced_memory()
    except WireError:
        value, (held, peak) = None, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 128 * MIB
    if value is not None:
        assert weight(value) > held / 1.5
        assert encode(value)  # what may be decoded may be encoded


def test_every_array_container_and_text_has_a_weight() -> None:
    assert weight(np.zeros(1000)) >= 8000
    assert weight([np.zeros((0,) * 20)] * 1000) > 1000 * 500
    assert weight([[]] * 1000) > 1000 * 50
    assert weight([{}] * 1000) > 1000 * 50
    assert weight({str(key): (key,) for key in range(100)}) > 100 * 100
    assert weight([None] * 1000) > 1000 * 8
    assert weight("x" * 1000) >= 4000
    assert weight([["x" * 1000], [("",)]]) >= 8 * 1000
    assert weight(["x" * 1000] + [1] * 999) >= 4 * 1000 * 1000  # as an array of texts
    view = np.zeros(1000)[::500]
    assert weight(view) > 8000  # all that it holds
    assert weight(np.zeros(1000)) < 16_000
    assert weight([1.5] * 1000) < 100_000


def test_forged_sizes_are_refused() -> None:
    two = ["list", [["array", "<f8", [1]], ["array", "<f8", [1]]]]
    assert len(decode(frame(two, b"\0" * 16))) == 2
    for size in (0, 8, 15, 17, 24):
        with pytest.raises(WireError):
            decode(frame(two, b"\0" * size))
    good = array([1], b"\0" * 8)
    (size,) = struct.unpack_from("<I", good)
    for lie in (size - 1, size + 1, size + 8, size + 9, 0, 2**32 - 1):
        with pytest.raises(WireError):
            decode(struct.pack("<I", lie) + good[4:])


def test_forged_booleans_are_zero_or_one() -> None:
    arrived = decode(array([4], b"\0\1\2\xff", "|b1"))
    assert arrived.view(np.uint8).tolist() == [0, 1, 1, 1]


def test_an_empty_shape_is_one_number() -> None:
    assert decode(array([], struct.pack("<d", 2.5))) == 2.5


def test_colliding_names_keep_the_last() -> None:
    assert decode(frame(["dict", [["a", 1], ["a", 2]]])) == {"a": 2}
    assert decode(frame(["dict", [[1, 1], [True, 2], [1.0, 3]]])) == {1: 3}


def test_not_a_number_as_a_key_is_harmless() -> None:
    arrived = decode(frame(["dict", [[float("nan"), 1], [float("nan"), 2]]]))
    assert sorted(arrived.values()) == [1, 2]
    assert arrived.keys() != {"a": 1, "b": 2}.keys()


def bomb(unit: bytes) -> bytes:
    """As many small containers as a skeleton may hold: two million in two megabytes."""
    rows = wire.MAX_SKELETON // (wire.MAX_NODES - 1) - 1
    row = b"\xdd" + struct.pack(">I", wire.MAX_NODES - 1) + unit * (wire.MAX_NODES - 1)
    return frame(b"\x92\xa4list\xdc" + struct.pack(">H", rows) + row * rows)


def cost(*frames: bytes) -> list[float]:
    """CPU seconds that decoding each frame takes, the least of several times, in a process that may hold 256 MiB."""
    code = (
        "import pickle, resource, sys, time\n"
        "from autograder.sandbox.wire import WireError, decode\n"
        "frames, costs = pickle.load(sys.stdin.buffer), []\n"
        "mapped = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (mapped + (256 << 20),) * 2)\n"
        "costs = [[] for _ in frames]\n"
        "for _ in range(5):\n"
        "    for frame, times in zip(frames, costs, strict=True):\n"
        "        before = time.process_time()\n"
        "        try:\n            decode(frame)\n"
        "        except WireError as error:\n            assert 'Memory' not in str(error), error\n"
        "        times.append(time.process_time() - before)\n"
        "print(*map(min, costs))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(frames), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return [float(seconds) for seconds in done.stdout.split()]


HONEST = frame(["list", [["list", [1.5] * 300]] * 300])  # as many parts as a value may have


@pytest.mark.parametrize("unit", [b"\x90", b"\x80", b"\xc0", b"\x91"], ids=["lists", "maps", "None", "nested lists"])
def test_fan_out_bombs_cost_no_more_than_some_honest_answers(unit: bytes) -> None:
    bad, honest = cost(bomb(unit), HONEST)
    assert bad < 60 * honest


def test_hashing_attacks_cost_little_time() -> None:
    """Powers of two, 61 apart, hash alike, and so do tuples of them: as many colliding keys as a frame may hold."""
    alike = [2.0 ** (61 * k) for k in range(-16, 16)]
    keys = list(itertools.islice(itertools.product(alike, repeat=3), wire.MAX_KEYS))
    assert len({hash(key) for key in keys}) == 1
    different = [(k / 7, k / 11, k / 13) for k in range(wire.MAX_KEYS)]
    assert len({hash(key) for key in different}) == wire.MAX_KEYS
    repeats = (wire.MAX_NODES - 2) // (5 * wire.MAX_KEYS + 1)
    frames = [
        frame(["list", [["dict", [[["tuple", key], 0] for key in some]]] * repeats]) for some in (keys, different)
    ]
    bad, honest = cost(*frames)
    assert bad < 30 * honest
