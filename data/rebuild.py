"""Rebuilds the files of this folder from the packages that they come from.

    python data/rebuild.py photographs      # writes data/photographs.npz and prints its sha256

``README.md`` says which package each file needs, and what the sha256 must be. A data set is one function that
returns named arrays, and a line in ``DATASETS``.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent

Arrays = dict[str, np.ndarray]


def photographs() -> Arrays:
    """Small crops of two photographs that come with scikit-image: ``camera`` (grey) and ``chelsea`` (colour)."""
    from skimage import data

    return {"camera": data.camera()[56:248, 136:344], "chelsea": data.chelsea()[70:190, 110:270]}


DATASETS: dict[str, Callable[[], Arrays]] = {"photographs": photographs}


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
        path = FOLDER / f"{name}.npz"
        write_npz(path, arrays)
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")


if __name__ == "__main__":
    main()
