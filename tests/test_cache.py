"""What the reference answers with something wrong in it is asked once, and kept: with the cache and without, the
verdict is the same.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from autograder.cache import HEAVIEST, frame, keep, kept, packed, unpacked
from autograder.course import Case, Exercise, fixed
from autograder.judge import Judge
from autograder.loading import load
from autograder.outcome import Outcome, Raised, Stopped, Value
from autograder.sandbox.isolation import choose
from autograder.sandbox.wire import Tensor, WireError, decode, encode
from autograder.verdict import Outcomes

ROOT = Path(__file__).parent.parent
A1 = load("a1", ROOT)
CASES = [Case(title, fixed(n)) for n, title in enumerate("abc")]


def exercise(name: str) -> Exercise:
    return next(one for one in A1.exercises if one.name == name)


def test_answers_are_the_same_after_they_were_kept() -> None:
    tensor = np.array([0.5, -0.0, np.nan]).view(Tensor)
    said = [Value({"a": tensor, "b": [1, None]}, changed=True, cpu=3.0), Raised("ValueError", "hidden inputs")]
    back = unpacked(decode(frame(packed(dict(zip(CASES, said, strict=False)), CASES))), CASES)
    value, raised = back[CASES[0]], back[CASES[1]]
    assert list(back) == CASES[:2]  # the third was not asked
    assert isinstance(value, Value)
    assert (value.changed, value.cpu, value.tree["b"]) == (True, 0.0, [1, None])
    assert (type(value.tree["a"]), value.tree["a"].tobytes()) == (Tensor, tensor.tobytes())
    assert raised == Raised("ValueError")


@pytest.mark.parametrize("said", [Stopped("time"), Stopped("died"), Value(np.zeros(HEAVIEST))])
def test_what_may_be_otherwise_next_time_or_is_too_large_is_not_kept(said: Outcome) -> None:
    with pytest.raises(WireError):
        frame(packed({CASES[0]: said}, CASES))


def test_a_known_mistake_is_asked_once_for_all_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_CACHE", str(tmp_path))
    first, timed = exercise("convolve"), exercise("conv2d_im2col")
    wrong = [mistake for mistake in A1.misconceptions if mistake.exercise == first.name]
    slow = next(mistake for mistake in A1.misconceptions if mistake.exercise == timed.name)

    def asked(judge: Judge) -> list[Outcomes]:
        one_by_one = [judge.reference.mistakes(first, [mistake]) for mistake in wrong]
        return [*one_by_one, judge.reference.mistakes(first, wrong[:1]), judge.reference.mistakes(timed, [slow])]

    with Judge(A1, "a seed", choose()) as judge:
        fresh = asked(judge)
    assert len([*tmp_path.rglob("convolve-*")]) == len(wrong)
    assert not [*tmp_path.rglob(f"{timed.name}-*")]  # times are those of the run that compares them
    with Judge(A1, "a seed", choose()) as judge:
        judge.reference.expect(A1.part_of(first))
        ask, calls = judge.examiner.ask_part, []
        monkeypatch.setattr(judge.examiner, "ask_part", lambda *given: calls.append(given[2]) or ask(*given))
        again = asked(judge)
    assert calls == [[timed]]
    for before, after in zip(fresh[:-1], again[:-1], strict=True):
        assert comparable(before) == comparable(after)


def comparable(answers: Outcomes) -> list[bytes]:
    """Those to the questions for conventions among them, whose cases each judge makes anew."""
    return sorted(encode([case.title, case.copies, packed({case: answers[case]}, [case])]) for case in answers)


def test_what_is_kept_is_for_its_owner_and_its_stamp(tmp_path: Path) -> None:
    path = tmp_path / "new" / "area"
    assert kept(path, "1") is None
    keep(path, "1", [b"one", b""])
    assert kept(path, "1") == [b"one", b""]
    assert kept(path, "2") is None
    keep(path, "2", [])
    assert (kept(path, "1"), kept(path, "2")) == (None, [])
    assert [file.name for file in path.parent.iterdir()] == ["area"]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "damage", [lambda b: b"", lambda b: b[:-1], lambda b: b + b"\0", lambda b: b[:40] + b"?" + b[41:]]
)
def test_a_damaged_file_is_none(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "area"
    keep(path, "1", [b"one", b"two"])
    path.write_bytes(damage(path.read_bytes()))
    assert kept(path, "1") is None


def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keep(tmp_path / "file" / "area", "1", [])
    assert kept(tmp_path / "file" / "area", "1") is None
