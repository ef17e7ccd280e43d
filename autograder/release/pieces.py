"""Everything that can be read in a file: members of archives, cells of notebooks, chunks of pictures, git objects."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
import lzma
import shutil
import struct
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.release.comparing import Searched, letters, squeezed

MAX_DEPTH = 5  # of archives in archives
LARGEST = 64 << 20  # bytes of what one packed stream may hold
PNG = b"\x89PNG\r\n\x1a\n"
NPY = b"\x93NUMPY"
SCHEMA = ("metadata", "outputs", "execution_count", "attachments")  # of a notebook's cell, beside its source
LINED = ("file", "source", "history")
PACKED: Mapping[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
    b"\x78\x01": zlib.decompress,
    b"\x78\x9c": zlib.decompress,
    b"\x78\xda": zlib.decompress,
}


class Unreadable(Exception):
    """Something cannot be searched; the message is one sentence that names it."""


@dataclass(frozen=True)
class Piece:
    """``path`` is that of the file or member, ``where`` says for people what in it this is; ``kind`` is what is known
    of it: a file as it stands, a notebook's cell, its metadata, a chunk of a picture.
    """

    path: str
    where: str
    data: bytes
    kind: str = "file"

    @cached_property
    def text(self) -> str:
        """What can be read in it; empty for arrays, whose bytes are no text, and for what is read part by part."""
        if self.kind == "container" or self.data.startswith((NPY, PNG)):
            return ""
        if self.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return self.data.decode("utf-16", "replace")
        return self.data.decode("utf-8", "replace")

    @cached_property
    def code(self) -> Searched:
        return Searched(self.text, squeezed)

    @cached_property
    def said(self) -> Searched:
        return Searched(self.text, letters)

    def at(self, line: int) -> str:
        """``where``, and the line in it if it is a text that people see line by line."""
        if not line or self.kind not in LINED:
            return self.where
        return f"{self.where}:{line}" if self.where == self.path else f"{self.where}, line {line}"


def pieces(path: str, data: bytes, depth: int = 0) -> Iterator[Piece]:
    """``data`` itself, and all that it holds.

    Raises:
        Unreadable: it is packed in a way that cannot be undone, or holds too much.
    """
    if depth > MAX_DEPTH:
        raise Unreadable(f"{path} is packed more than {MAX_DEPTH} times.")
    if zipfile.is_zipfile(io.BytesIO(data)):
        yield Piece(path, path, data, "container")
        yield from _members(path, data, depth)
    elif cells := _cells(path, data):
        yield Piece(path, path, data, "container")
        yield from cells
    else:
        yield Piece(path, path, data)
        yield from _chunks(path, data) if data.startswith(PNG) else _unpacked(path, data, depth)


def git_pieces(folder: Path) -> Iterator[Piece]:
    """Every object in the repository of ``folder``, whether or not a branch leads to it, and the files of ``.git``.

    Raises:
        Unreadable: git is not installed or cannot read it.
    """
    git = shutil.which("git")
    if not git:
        raise Unreadable(f"{folder / '.git'} cannot be searched without git.")
    command = [git, "-C", str(folder), "cat-file", "--batch", "--batch-all-objects"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise Unreadable(f"{folder / '.git'} cannot be read: {done.stderr.decode(errors='replace').strip()}.")
    rest = done.stdout
    while rest:
        head, _, rest = rest.partition(b"\n")
        name, kind, size = head.decode().split()
        label = f".git ({kind} {name[:10]})"
        yield from (Piece(piece.path, piece.where, piece.data, "history") for piece in pieces(label, rest[: int(size)]))
        rest = rest[int(size) + 1 :]
    for file in sorted((folder / ".git").rglob("*")):
        if file.is_file() and "objects" not in file.relative_to(folder / ".git").parts[:1]:
            label = file.relative_to(folder).as_posix()
            yield Piece(label, label, file.read_bytes(), "history")


def _members(path: str, data: bytes, depth: int) -> Iterator[Piece]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Piece(path, f"the comment of {path}", archive.comment, "comment")
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            if entry.file_size > LARGEST or entry.flag_bits & 1:
                raise Unreadable(f"{path} holds {entry.filename}, which is too large or encrypted.")
            yield from pieces(f"{path}/{entry.filename}", archive.read(entry), depth + 1)


def _unpacked(path: str, data: bytes, depth: int) -> Iterator[Piece]:
    for magic, unpack in PACKED.items():
        if data.startswith(magic):
            try:
                inner = unpack(data)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
                return  # it only begins like one
            yield from pieces(f"{path}/unpacked", inner, depth + 1)
    if len(data) > 262 and data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                if file := archive.extractfile(member) if member.isfile() else None:
                    yield from pieces(f"{path}/{member.name}", file.read(), depth + 1)


def _chunks(path: str, data: bytes) -> Iterator[Piece]:
    """Of a PNG file: every chunk, text unpacked, and what follows the last."""
    place = len(PNG)
    while place + 12 <= len(data):
        size, name = struct.unpack(">I4s", data[place : place + 8])
        content, label = data[place + 8 : place + 8 + size], name.decode("latin-1")
        if name in (b"zTXt", b"iTXt"):
            content += _inflated(content)
        yield Piece(path, f"chunk {label} of {path}", content, f"chunk {label}")
        place += 12 + size
        if name == b"IEND":
            break
    if rest := data[place:]:
        yield Piece(path, f"what follows the picture in {path}", rest, "chunk after the end")


def _inflated(content: bytes) -> bytes:
    """The compressed text of a chunk, behind its keyword and flags."""
    for place in range(len(content)):
        if content[place : place + 1] == b"\x78":
            try:
                return b"\n" + zlib.decompress(content[place:])
            except zlib.error:
                continue
    return b""


def _cells(path: str, data: bytes) -> list[Piece]:
    """A JSON file's strings as they are meant, without escapes; those of a notebook cell by cell."""
    try:
        tree = json.loads(data) if data.lstrip()[:1] in (b"{", b"[") else None
    except ValueError:
        return []
    if tree is None:
        return []
    if not (path.endswith(".ipynb") and isinstance(tree, dict) and isinstance(tree.get("cells"), list)):
        return [Piece(path, path, _leaves(tree), "strings")]
    cells = [cell for cell in tree.pop("cells") if isinstance(cell, dict)]
    metadata = Piece(
        path, f"the metadata of {path}", json.dumps(tree.pop("metadata", {})).encode(), "notebook metadata"
    )
    found = [metadata, Piece(path, f"the rest of {path}", _leaves(tree), "strings")]
    for number, cell in enumerate(cells, 1):
        label = f"cell {number} of {path}"
        found += [
            Piece(path, f"{key} of {label}", _leaves(cell.pop(key)), f"cell {key}") for key in SCHEMA if cell.get(key)
        ]
        found.append(Piece(path, label, _source(cell.pop("source", "")), "source"))
        found.append(Piece(path, f"the rest of {label}", _leaves(cell), "cell"))
    return found


def _source(tree: Any) -> bytes:
    """A cell's text, line by line; a list holds its lines with their ends."""
    if isinstance(tree, list) and all(isinstance(line, str) for line in tree):
        tree = "".join(tree)
    return tree.encode("utf-8", "replace") if isinstance(tree, str) else _leaves(tree)


def _leaves(tree: Any) -> bytes:
    return "".join(_texts(tree)).encode("utf-8", "replace")


def _texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree if tree.endswith("\n") else tree + "\n"
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(tree, list):
        for item in tree:
            yield from _texts(item)
    elif isinstance(tree, int | float):
        yield f"{tree!r}\n"
