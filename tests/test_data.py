"""The files in data/ are those that data/README.md describes, and can be written again byte for byte."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

DATA = Path(__file__).parents[1] / "data"
README = (DATA / "README.md").read_text(encoding="utf-8")

HASHES: dict[str, str] = dict(re.findall(r"^\| `(\S+\.npz)` \| `([0-9a-f]{64})` \|$", README, re.MULTILINE))


def arrays_documented_for(file: str) -> dict[str, tuple[tuple[int, ...], str]]:
    """Name of each array in the README's section on ``file`` → its shape and dtype there."""
    section = README.split(f"\n## {file}\n")[1].split("\n## ")[0]
    rows: list[tuple[str, str, str]] = re.findall(r"^\| `(\w+)` \| \(([\d, ]+)\) \| (\w+) \|", section, re.MULTILINE)
    return {name: (tuple(int(n) for n in shape.split(",") if n.strip()), dtype) for name, shape, dtype in rows}


@pytest.fixture(scope="module")
def rebuild() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rebuild", DATA / "rebuild.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_is_documented_and_can_be_rebuilt(rebuild: ModuleType) -> None:
    files = {path.name for path in DATA.iterdir() if path.is_file()} - {"README.md", "rebuild.py"}
    assert files == set(HASHES)
    assert files == {f"{name}.npz" for name in rebuild.DATASETS}


@pytest.mark.parametrize("file", HASHES)
def test_hash(file: str) -> None:
    assert hashlib.sha256((DATA / file).read_bytes()).hexdigest() == HASHES[file]


@pytest.mark.parametrize("file", HASHES)
def test_shapes_and_dtypes(file: str) -> None:
    with np.load(DATA / file, allow_pickle=False) as arrays:
        found = {name: (array.shape, str(array.dtype)) for name, array in arrays.items()}
    assert found == arrays_documented_for(file)


def test_photographs_are_small_and_use_the_range() -> None:
    path = DATA / "photographs.npz"
    assert path.stat().st_size <= 100_000
    with np.load(path) as photographs:
        for name, image in photographs.items():
            assert np.ptp(image) > 200, name


def test_digits_are_balanced_and_in_random_order() -> None:
    for file, least, most in (("digits.npz", 500, 500), ("digits_hidden.npz", 350, 650)):
        with np.load(DATA / file) as digits:
            images, labels = digits["images"], digits["labels"]
        counts = np.bincount(labels)
        assert len(counts) == 10
        assert least <= counts.min() <= counts.max() <= most
        assert np.bincount(labels[:1000], minlength=10).min() > 60
        assert images.min() == 0
        assert images.max() == 255
        assert (images.reshape(len(images), -1).max(axis=1) > 200).all()


def test_no_hidden_digit_is_among_those_of_the_students() -> None:
    with np.load(DATA / "digits.npz") as mine, np.load(DATA / "digits_hidden.npz") as hidden:
        images = [image.tobytes() for digits in (mine, hidden) for image in digits["images"]]
    assert len(set(images)) == 10_000


def test_shipped_bytes_follow_from_the_shipped_arrays(rebuild: ModuleType, tmp_path: Path) -> None:
    for file in HASHES:
        with np.load(DATA / file) as arrays:
            rebuild.write_npz(tmp_path / file, dict(arrays))
        assert (tmp_path / file).read_bytes() == (DATA / file).read_bytes()


def test_bytes_depend_on_values_alone(rebuild: ModuleType, tmp_path: Path) -> None:
    a, b = np.arange(24, dtype=np.uint8).reshape(4, 6), np.linspace(0, 1, 5)
    first, second, other = tmp_path / "first.npz", tmp_path / "second.npz", tmp_path / "other.npz"
    rebuild.write_npz(first, {"a": a, "b": b})
    rebuild.write_npz(second, {"b": np.repeat(b, 2)[::2], "a": np.asfortranarray(a)})
    rebuild.write_npz(other, {"a": a + 1, "b": b})
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes() != other.read_bytes()
    with np.load(first, allow_pickle=False) as back:
        assert sorted(back) == ["a", "b"]
        np.testing.assert_array_equal(back["a"], a)
        np.testing.assert_array_equal(back["b"], b)


def test_rebuilding_writes_the_data_set_beside_the_script(
    rebuild: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rebuild, "FOLDER", tmp_path)
    monkeypatch.setitem(rebuild.DATASETS, "photographs", lambda: {"a": np.arange(3)})
    rebuild.main(["photographs"])
    content = (tmp_path / "photographs.npz").read_bytes()
    assert capsys.readouterr().out == f"{hashlib.sha256(content).hexdigest()}  photographs.npz\n"


def test_hidden_digits_are_those_that_students_do_not_have(
    rebuild: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = np.random.default_rng(0).integers(0, 256, (30, 784), np.uint8)
    for digit in range(10):
        data = np.round(images[3 * digit : 3 * digit + 3].ravel() / 255, 3).tolist()
        (tmp_path / f"{digit}.json").write_text(json.dumps({"data": data}), encoding="utf-8")
    monkeypatch.setattr(rebuild, "MNIST", tmp_path)
    monkeypatch.setattr(rebuild, "digits", lambda: {"images": images[::3]})
    hidden = rebuild.digits_hidden()
    assert sorted(hidden["labels"]) == sorted(2 * list(range(10)))
    for image, label in zip(hidden["images"], hidden["labels"], strict=True):
        assert image.tobytes() in {images[3 * label + 1].tobytes(), images[3 * label + 2].tobytes()}


def test_without_the_package_from_npm_one_sentence_says_so(
    rebuild: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "MNIST", tmp_path)
    monkeypatch.setattr(rebuild, "digits", lambda: {"images": np.zeros((1, 784), np.uint8)})
    monkeypatch.setitem(rebuild.DATASETS, "digits_hidden", rebuild.digits_hidden)
    with pytest.raises(SystemExit) as stop:
        rebuild.main(["digits_hidden"])
    assert "0.json, which is not there" in str(stop.value)


def test_without_scikit_image_one_sentence_says_so(rebuild: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "skimage", None)  # importing it now fails as if it were not installed
    with pytest.raises(SystemExit) as stop:
        rebuild.main(["photographs"])
    assert str(stop.value).startswith("Rebuilding photographs needs a package that provides the module skimage")
    assert hashlib.sha256((DATA / "photographs.npz").read_bytes()).hexdigest() == HASHES["photographs.npz"]
