"""A small sample of the parts of ``tests/scale/fuzz.py``, the same in every run; for answers see test_answers.py."""

from __future__ import annotations

import signal
from pathlib import Path

import fuzz
import pytest

SAMPLES = {"edits": 20, "collect": 10, "replies": 2, "classes": 1}  # turns of a part


@pytest.mark.parametrize("part", SAMPLES)
def test_nothing_is_found_in_a_sample(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Crashes and wrong files only: how long it takes depends on the machine."""
    monkeypatch.setattr(fuzz, "SLOW", fuzz.HUNG)
    monkeypatch.setattr(fuzz, "SLOW_GRADING", fuzz.HUNG)
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)
    fuzzer = fuzz.Fuzzer(1, tmp_path, tmp_path / "kept")
    for _ in range(SAMPLES[part]):
        fuzz.PARTS[part](fuzzer)
    assert not fuzzer.findings, capsys.readouterr().out
    assert sum(fuzzer.accepted.values())
