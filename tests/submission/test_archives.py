"""Archives and folders of any kind become sources or a sentence: never an exception, never too much of them."""

from __future__ import annotations

import errno
import gzip
import io
import os
import random
import stat
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from autograder.submission import Submission, SubmissionPathError, archives, disk, files, read
from autograder.text import one_line
from tests.submission.hand_ins import (
    CONV2D,
    CONVOLVE,
    GRADED,
    MESSY,
    cells,
    make_folder,
    make_zip,
    read_notebook,
    refused,
)


def zip_with(path: Path, change: Callable[[zipfile.ZipInfo], None], name: str = "data.txt") -> Path:
    make_zip(path, {"convolution.py": CONVOLVE})
    info = zipfile.ZipInfo(name)
    change(info)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    return path


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../evil.py", "leads out"),
        ("a/../../evil.txt", "leads out"),
        ("a\\..\\evil.py", "leads out"),
        ("/etc/evil.py", "leads out"),
        ("\\evil.py", "leads out"),
        ("C:\\evil.py", "leads out"),
        ("c:evil.py", "leads out"),
        ("\uff0e\uff0e/evil.py", "leads out"),
        ("ev\x1b[31mil.py", "control characters"),
        ("ev\nil.txt", "control characters"),
        ("Convolution.py", "cannot tell"),
        ("./convolution.py", "cannot tell"),
        ("\uff43onvolution.py", "cannot tell"),
    ],
)
def test_hostile_names_in_an_archive_refuse_it(tmp_path: Path, name: str, problem: str) -> None:
    refused(read("s", make_zip(tmp_path / "s.zip", {"convolution.py": CONVOLVE, name: "x = 1"}), GRADED), problem)


def test_composed_and_decomposed_names_are_the_same(tmp_path: Path) -> None:
    members = {"convolution.py": CONVOLVE, "\u00e9.py": "", "e\u0301.py": ""}
    refused(read("s", make_zip(tmp_path / "s.zip", members), GRADED), "cannot tell")
    refused(read("s", make_folder(tmp_path / "s", members), GRADED), "cannot tell")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_refuse_the_archive(tmp_path: Path) -> None:
    refused(read("s", zip_with(tmp_path / "s.zip", lambda info: None, "convolution.py"), GRADED), "cannot tell")


def ignored(got: Submission, sentence: str) -> None:
    assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
    assert got.notes == (sentence,)


SPECIAL = "was ignored because it is a link, a pipe, a socket or a device."


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_in_an_archive_are_ignored(tmp_path: Path, kind: int) -> None:
    def change(info: zipfile.ZipInfo) -> None:
        info.create_system, info.external_attr = 3, (kind | 0o777) << 16

    ignored(read("s", zip_with(tmp_path / "s.zip", change), GRADED), f"data.txt {SPECIAL}")


def test_an_encrypted_archive_holds_nothing(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "s.zip", {"convolution.py": CONVOLVE})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    got = read("s", path, GRADED)
    assert got.parts == {}
    assert got.notes[0] == "convolution.py was ignored because it is encrypted."


def test_a_member_of_an_unusual_compression_is_ignored(tmp_path: Path) -> None:
    def change(info: zipfile.ZipInfo) -> None:
        info.compress_type = zipfile.ZIP_LZMA

    got = read("s", zip_with(tmp_path / "s.zip", change, "helper.py"), GRADED)
    ignored(got, "helper.py was ignored because it is compressed in an unusual way.")


def test_system_files_environments_and_damaged_archives_are_ignored(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "convolution.py": CONVOLVE,
        "old.zip": b"PK",
        "__MACOSX/._convolution.py": b"\0\5",
        "__pycache__/convolution.py": b"\0",
        ".ipynb_checkpoints/lab.ipynb": cells(CONVOLVE),
        ".venv/lib/x.py": "",
        "venv/lib/site-packages/y.py": "",
    }
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "folder", members)):
        got = read("s", path, GRADED)
        assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
        assert set(got.notes) == {
            "old.zip was ignored because it could not be opened.",
            ".venv was ignored because it holds an environment, not your own code.",
            "venv was ignored because it holds an environment, not your own code.",
        }


def tar(members: Mapping[str, str | bytes], mode: str = "w", **kinds: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            data = content if isinstance(content, bytes) else content.encode()
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kinds.get(name, tarfile.REGTYPE), len(data), "/etc/passwd"
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def read_tar(tmp_path: Path, data: bytes, name: str = "s.tar") -> Submission:
    (tmp_path / name).write_bytes(data)
    return read("s", tmp_path / name, GRADED)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2"])
def test_a_tar_archive_is_read(tmp_path: Path, mode: str) -> None:
    name = f"s.tar{mode[1:].replace(':', '.')}"
    got = read_tar(tmp_path, tar({"hw/convolution.py": CONVOLVE, "hw/lib/a.py": "x = 1", "hw/b.csv": ""}, mode), name)
    assert got == Submission("s", {"convolution": {"convolution.py": CONVOLVE, "lib/a.py": "x = 1"}})


@pytest.mark.parametrize(
    "kind", [tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"S"]
)
def test_links_and_devices_in_a_tar_archive_are_ignored(tmp_path: Path, kind: bytes) -> None:
    got = read_tar(tmp_path, tar({"convolution.py": CONVOLVE, "data": b""}, data=kind))
    assert got.parts == {"convolution": {"convolution.py": CONVOLVE}}
    assert got.notes == (f"data {SPECIAL}",)


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:/evil.py"])
def test_hostile_names_in_a_tar_archive_refuse_it(tmp_path: Path, name: str) -> None:
    refused(read_tar(tmp_path, tar({"convolution.py": CONVOLVE, name: ""})), "leads out")


def test_a_tar_archive_is_read_within_the_bounds(tmp_path: Path) -> None:
    refused(read_tar(tmp_path, b"#" * 5000), "s.tar could not be opened as a tar archive.")
    refused(read_tar(tmp_path, gzip.compress(bytes(archives.MAX_INNER)), "s.tgz"), "more than 60 MB")
    refused(read_tar(tmp_path, tar({f"{n}.txt": "" for n in range(files.MAX_MEMBERS + 1)})), "more than 2000 files")
    many = tar({f".git/{n}": "" for n in range(archives.MAX_TAR_MEMBERS + 1)})
    refused(read_tar(tmp_path, many), "more files and folders than it may")
    refused(read_tar(tmp_path, tar({"n" * 20_000: CONVOLVE})), "could not be opened as a tar archive")


def test_archives_in_archives_share_the_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nested(name: str, content: bytes) -> bytes:
        return make_zip(tmp_path / "n.zip", {name: content}).read_bytes()

    inner = nested("convolution.py", CONVOLVE.encode())
    once = make_zip(tmp_path / "once.zip", {"b.zip": inner, "c.tar": tar({"convolution_torch.py": CONV2D})})
    assert set(read("s", once, GRADED).parts) == {"convolution", "convolution_torch"}
    got = read("s", make_zip(tmp_path / "twice.zip", {"a.zip": nested("b.zip", inner)}), GRADED)
    assert got.parts == {}
    assert got.notes[0] == "a.zip/b.zip was ignored because it lies within 2 other archives."
    climbs = make_zip(tmp_path / "climbs.zip", {"a.zip": nested("../convolution.py", b"")})
    refused(read("s", climbs, GRADED), "leads out")
    several = {f"{n}.zip": nested(f"m{n}.py", b"x = 1") for n in range(files.MAX_ARCHIVES + 1)}
    got = read("s", make_zip(tmp_path / "several.zip", several | {"convolution.py": CONVOLVE}), GRADED)
    assert "10.zip was ignored because the submission holds more than 10 archives." in got.notes
    monkeypatch.setattr(archives, "MAX_INNER", len(inner))
    refused(read("s", make_zip(tmp_path / "two.zip", {"a.zip": inner, "b.zip": inner}), GRADED), "more than 60 MB")
    monkeypatch.setattr(files, "MAX_FILES", 1)
    monkeypatch.setattr(archives, "MAX_INNER", 100_000)
    refused(read("s", once, GRADED), "more than 1 Python files")


def test_backslashes_separate_folders(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "s.zip", {"hw\\convolution.py": CONVOLVE, "hw\\lib\\a.py": "x = 1"})
    assert set(read("s", path, GRADED).parts["convolution"]) == {"convolution.py", "lib/a.py"}


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"PK\5\6" + b"\xff" * 18])
def test_a_corrupt_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "solution.zip").write_bytes(content)
    got = read("s", tmp_path / "solution.zip", GRADED)
    refused(got, "solution.zip could not be opened as a zip archive.")
    assert [one.kind for one in got.attention] == ["refused"]


def test_a_damaged_member_refuses_the_archive(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "s.zip", {"convolution.py": os.urandom(5000).hex()})
    data = bytearray(path.read_bytes())
    data[1000:1010] = b"\0" * 10
    path.write_bytes(data)
    refused(read("s", path, GRADED), "could not be opened")


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    for limit, suffix in ((files.MAX_FILES, ".py"), (files.MAX_MEMBERS, ".txt")):
        members = {f"m{i}{suffix}": "" for i in range(limit)} | {"convolution.py": CONVOLVE}
        for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / f"s{suffix}", members)):
            refused(read("s", path, GRADED), f"more than {limit}")
        members.pop("m0" + suffix)
        assert set(read("s", make_zip(tmp_path / "t.zip", members), GRADED).parts) == {"convolution"}


def test_too_much_source_is_refused(tmp_path: Path) -> None:
    half = "#" * (files.MAX_SOURCE // 2)
    members = {"convolution.py": CONVOLVE + half, "helper.py": half}
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "s", members)):
        refused(read("s", path, GRADED), "more than 900 kB")
    refused(read_notebook(tmp_path, CONVOLVE, *["#" * 90_000] * 4), "more than 300 kB of code")
    refused(read_notebook(tmp_path, CONVOLVE, *[""] * 2_000), "2 000 code cells")
    doubled = {"mine.py": CONVOLVE + half}  # travels under both names
    refused(read("s", make_folder(tmp_path / "d", doubled), GRADED), "more than 900 kB")


def test_declared_sizes_are_not_believed(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bomb.zip", {"convolution.py": b"#" * 50_000_000})
    data = bytearray(path.read_bytes())
    for header, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = data.index(header) + offset
        data[start : start + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    refused(read("s", path, GRADED), "could not be opened")
    refused(read("s", make_zip(path, {"convolution.py": b"#" * 50_000_000}), GRADED), "more than 900 kB")


def test_a_huge_table_of_contents_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    record = b"PK\1\2" + b"\0" * 42
    count = archives.MAX_DIRECTORY // len(record) + 1
    size = (count * len(record)).to_bytes(4, "little")
    end = b"PK\5\6" + b"\0" * 4 + b"\xff" * 4 + size + b"\0" * 4 + b"\0" * 2
    (tmp_path / "s.zip").write_bytes(record * count + end)
    refused(read("s", tmp_path / "s.zip", GRADED), "holds far too many files (an environment?)")


def test_an_environment_of_many_files_is_skipped(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as archive:
        for number in range(30_000):  # as many as the course's own environment has
            archive.writestr(zipfile.ZipInfo(f"a1/.venv/lib/python3.11/site-packages/torch/include/{number}.h"), b"")
        archive.writestr("a1/convolution.py", CONVOLVE)
    got = read("s", tmp_path / "s.zip", GRADED)
    assert set(got.parts) == {"convolution"}
    assert "a1/.venv was ignored because it holds an environment, not your own code." in got.notes


def test_a_huge_notebook_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_NOTEBOOK", 10_000)
    members = {"lab.ipynb": cells(CONVOLVE, outputs="o" * 10_000), "convolution_torch.py": CONV2D}
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "s", members)):
        got = read("s", path, GRADED)
        assert set(got.parts) == {"convolution_torch"}
        assert got.notes[0].startswith("lab.ipynb was ignored because it is larger than 20 MB")
    monkeypatch.setattr(files, "MAX_NOTEBOOKS", 10_000)
    members = {f"{i}.ipynb": cells(CONVOLVE, outputs="o" * 5_000) for i in range(3)}
    got = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert got.notes[0] == "2.ipynb was ignored because the notebooks before it are larger than 60 MB."
    assert "convolution was graded from 0.ipynb, and not from 1.ipynb." in got.notes


def test_huge_notebooks_are_read_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    bounded = archives.bounded

    def counted(stream: archives.Readable, limit: int) -> bytes:
        data = bounded(stream, limit)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(files, "bounded", counted)
    monkeypatch.setattr(files, "MAX_NOTEBOOK", 100_000)
    monkeypatch.setattr(files, "MAX_NOTEBOOKS", 300_000)
    members = {f"{i}.ipynb": b"o" * 1_000_000 for i in range(40)} | {"convolution.py": CONVOLVE}
    for path in (make_zip(tmp_path / "s.zip", members), make_folder(tmp_path / "s", members)):
        sizes.clear()
        assert set(read("s", path, GRADED).parts) == {"convolution"}
        assert sum(sizes) < 600_000


def test_an_archive_that_unpacks_to_nothing_is_read_up_to_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = b"\0\0\0\xff\xff" * 100_000 + b"\1\0\0\xff\xff"  # empty blocks
    path = make_zip(tmp_path / "s.zip", {"convolution.py": CONVOLVE})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo("x.py"), nothing)
    data = bytearray(path.read_bytes())
    for start in (data.rindex(b"PK\3\4") + 8, data.rindex(b"PK\1\2") + 10):
        data[start] = zipfile.ZIP_DEFLATED
        data[start + 6 : start + 10] = (0).to_bytes(4, "little")  # the sum of nothing
    path.write_bytes(data)
    assert "x.py is empty." in read("s", path, GRADED).notes
    monkeypatch.setattr(archives, "MAX_PACKED", 300_000)
    refused(read("s", path, GRADED), "take up more than 100 MB of the archive")


def test_links_in_folders_are_never_followed(tmp_path: Path) -> None:
    secret = make_folder(tmp_path / "secret", {"convolution_torch.py": CONV2D})
    for name, target in (
        ("convolution_torch.py", secret / "convolution_torch.py"),
        ("sub", secret),
        ("dangling.py", tmp_path / "x"),
    ):
        folder = make_folder(tmp_path / f"s_{name}", {"convolution.py": CONVOLVE})
        (folder / name).symlink_to(target)
        ignored(read("s", folder, GRADED), f"{name} {SPECIAL}")
    (tmp_path / "bob.py").symlink_to(secret / "convolution_torch.py")
    refused(read("bob", tmp_path / "bob.py", GRADED), "bob.py is a link")
    folder = make_folder(tmp_path / "s_zip", {})
    (folder / "a.zip").symlink_to(make_zip(tmp_path / "real.zip", {"convolution.py": CONVOLVE}))
    refused(read("s", folder, GRADED), "a.zip is a link")


def test_nothing_is_executed_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit\n"
    members = {"convolution.py": trap + CONVOLVE, "lab.ipynb": cells(trap, CONV2D + "X = exit()"), "__init__.py": trap}
    path = make_zip(tmp_path / "s.zip", members)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    assert len(read("s", path, GRADED).parts) == 2
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["a.txt", "a.rar", "a", "a.tar.xz", "a.gz"])
def test_other_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    sentence = f"{name} is not a .py, .ipynb, .zip or .tar.gz file: hand in one of those, or a folder."
    refused(read("s", tmp_path / name, GRADED), sentence)


def test_a_path_that_vanished_is_said(tmp_path: Path) -> None:
    refused(read("s", tmp_path / "gone.py", GRADED), "gone.py could not be read.")


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: str, flags: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(disk, "_open", denied)  # root may read everything
    folder = make_folder(tmp_path / "late", {"layers.py": "x = 1", "notes.txt": ""})
    with pytest.raises(SubmissionPathError, match=r"/late/layers\.py cannot be read: permission denied\.$"):
        read("late", folder, GRADED)


def test_reading_is_deterministic(tmp_path: Path) -> None:
    members = {f"{name}/convolution.py": CONVOLVE for name in "dcba"} | {"lab.ipynb": cells(*MESSY)}
    first = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert first == read("s", make_zip(tmp_path / "s.zip", dict(reversed(members.items()))), GRADED)
    assert first == read("s", make_folder(tmp_path / "s", members), GRADED)


def mutated(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(0, 12)):
        position = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0:
                data[position : position + 1] = rng.randbytes(1)
            case 1:
                data[position:position] = rng.randbytes(rng.randint(1, 9))
            case 2:
                del data[position : position + rng.randint(1, 30)]
            case _:
                data[position:position] = rng.choice([b"%", b"\n", b"(", b'"', b"\\", b"\xed\xa0\x80", b"PK\1\2"])
    return bytes(data)


@pytest.mark.parametrize("suffix", [".zip", ".ipynb", ".py"])
@pytest.mark.filterwarnings("error")
def test_garbage_never_raises(tmp_path: Path, suffix: str) -> None:
    rng = random.Random(f"submission{suffix}")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a/convolution.py", CONVOLVE)
        archive.writestr("a/lab.ipynb", cells(*MESSY), zipfile.ZIP_DEFLATED)
    seeds = {".zip": [buffer.getvalue()], ".ipynb": [cells(*MESSY).encode()], ".py": ["\n".join(MESSY).encode()]}[
        suffix
    ]
    path = tmp_path / f"fuzz{suffix}"
    graded = 0
    for _ in range(300):
        path.write_bytes(mutated(rng, [*seeds * 4, b"", rng.randbytes(200)]))
        got = read("s", path, GRADED)
        assert got.parts or got.notes
        assert all(note == one_line(note) and note.endswith((".", "…")) for note in got.notes)
        for sources in got.parts.values():
            "".join(sources.values()).encode()
        graded += bool(got.parts)
    assert 0 < graded < 300
