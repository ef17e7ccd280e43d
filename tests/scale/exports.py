"""A class in each platform's form, with the quirks of that platform; names and contents are invented.

Each function writes one into a folder, which is not there before, and gives the rows that ``collect`` must find.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

GRADED = {"convolution": ["convolve"], "convolution_torch": ["Conv2d"]}
ZONE = timezone(timedelta(hours=1))
WORK = "def convolve(x, h):\n    return 1\n"
TORCH = "class Conv2d:\n    pass\n"


@dataclass(frozen=True)
class Row:
    """What is expected of a student: the parts that are found, and what the platform says."""

    parts: tuple[str, ...] = ("convolution",)
    when: datetime | None = None
    late: bool | None = None
    attempt: int | None = None


Rows = dict[str, Row]


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def packed(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def zipped(folder: Path, wrapper: str = "") -> Path:
    """The folder as an archive beside it, packed again on a Mac, within a folder if ``wrapper`` names one."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    members: dict[str, str | bytes] = {f"{wrapper}{name}": content for name, content in files.items()}
    members |= {f"__MACOSX/{wrapper}._{name.rpartition('/')[2]}": b"\0\5\x16\7" for name in files}
    members[f"{wrapper}.DS_Store"] = b""
    path = folder.parent / f"{folder.name}.zip"
    path.write_bytes(packed(members))
    return path


def canvas(root: Path) -> Rows:
    both = ("convolution", "convolution_torch")
    write(
        root,
        {
            "lovelaceada_4021_88310_convolution.py": WORK,
            "lovelaceada_4021_88311_convolution_torch.py": TORCH,
            "müllerjörg_LATE_4022_88312_convolution-1.py": WORK,
            "oneilcruzjosé_4023_88313_homework.zip": packed({"hw/convolution.py": WORK}),
            "doe--jane_4024_88314_convolution-2.py": WORK,
            "van_der_berg_4025_88315_Copy of convolution.py": WORK,
            "王小明_4026_88316_convolution.py": WORK,
            "hartleyann_4027_text.html": "<p>I was ill</p>",
            "kimmin_4028_88317_convolution-1a2b3c4d-0000-4000-8000-1234567890ab.py": WORK,
            "kimmin_LATE_4029_88318_convolution.py": WORK,
            "LATE_anon_aB3xZ_88319_convolution.py": WORK,
            "anon_bC4yA_88320_convolution.py": WORK,
            "roehans4030_question_77_88321_convolution.py": WORK,
            "team7_4031_88322_notes_2_final.txt": "read me",
            "team7_4031_88323_convolution.py": WORK,
        },
    )
    on_time, late = Row(late=False), Row(late=True)
    return {
        "4021": Row(both, late=False),
        "4022": late,
        **dict.fromkeys(("4023", "4024", "4025", "4026", "4028", "bC4yA", "4030", "4031"), on_time),
        "4027": Row((), late=False),
        "4029": late,
        "aB3xZ": late,
    }


def moodle(root: Path) -> Rows:
    people = {
        "Ada Lovelace_503121": {"convolution.py": WORK},
        "Ben Two_503122": {"sub/dir/convolution.py": WORK, "sub/dir/data.txt": "1"},
        "José Núñez_503123": {"homework.zip": packed({"hw/convolution.py": WORK})},
        "Wei Zhang_503124": {"convolution.py": WORK},
        "Wei Zhang_503125": {"convolution (1).py": WORK},
        "王小明_503126": {"convolution.py": WORK},
        "ONeil Cruz_503127": {"convolution.py": WORK, "convolution_torch.py": TORCH},
        "Jorg Muller_503128": {"convolution.py": WORK},
        "Anna-Lena von Berg_503129": {"convolution.py": WORK},
        "Default group": {"convolution.py": WORK},
        "Empty Hand_503130": {},
    }
    for name, files in people.items():
        write(root, {f"{name}_assignsubmission_file/{file}": content for file, content in files.items()})
    write(root, {"Jorg Muller_503128_assignsubmission_onlinetext/onlinetext.html": "<p>Here is my work</p>"})
    write(root, {"Empty Hand_503130_assignsubmission_onlinetext/onlinetext.html": "<p>Nothing</p>"})
    names = ("Ada Lovelace", "Ben Two", "José Núñez", "Wei Zhang (503124)", "Wei Zhang (503125)", "王小明")
    rows = dict.fromkeys((*names, "Jorg Muller", "Anna-Lena von Berg", "Default group"), Row())
    return {**rows, "ONeil Cruz": Row(("convolution", "convolution_torch")), "Empty Hand": Row(())}


def moodle_flat(root: Path) -> Rows:
    rows: Rows = {}
    for number, name in enumerate(("Ada Lovelace", "José Núñez", *(f"Student {n}" for n in "ABCDEFGH")), 503121):
        write(root, {f"{name}_{number}_assignsubmission_file_convolution.py": WORK})
        rows[name] = Row()
    write(root, {"Ada Lovelace_503121_assignsubmission_file_convolution_torch.py": TORCH})
    write(root, {"Ada Lovelace_503121_assignsubmission_onlinetext_onlinetext.html": "<p>See the files</p>"})
    return {**rows, "Ada Lovelace": Row(("convolution", "convolution_torch"))}


def moodle_blind(root: Path) -> Rows:
    for number in range(503121, 503131):
        write(root, {f"Teilnehmer_{number}_assignsubmission_file_/convolution.py": WORK})
    return {f"Teilnehmer {number}": Row() for number in range(503121, 503131)}


def gradescope(root: Path) -> Rows:
    people: list[tuple[list[tuple[str, str, str]], str]] = [
        ([("Ada Lovelace", "0017", "ada@x.test")], "2026-01-02 12:34:56.000000000 -08:00"),
        ([("Wei Zhang", "0018", "wei@x.test")], "2026-01-02T12:34:56+00:00"),
        ([("Wei Zhang", "0019", "zhang@x.test")], "2026-01-02 12:34:56 Z"),
        ([("No Number", "", "number@x.test")], "2026-01-02 12:34:56 Z"),
        ([("Eve One", "0020", "eve@x.test"), ("Fay Two", "0021", "fay@x.test")], "2026-01-03 00:00:00 Z"),
        ([], "2026-01-02 12:34:56 Z"),
        ([("Gus", "0022", "")], "2026-01-02 12:34:56 Z"),
        ([("Hana", "0023", "")], "2026-01-02 12:34:56 Z"),
        ([("Igor", "0024", "")], "2026-01-02 12:34:56 Z"),
        ([("Igor", "0024", "")], "2026-01-05 12:34:56 Z"),
    ]
    lines = ["---"]
    for number, (submitters, created) in enumerate(people, 900017):
        lines += [f"submission_{number}:", "  :submitters:" + (" []" if not submitters else "")]
        for name, sid, email in submitters:
            lines += [f"  - :name: {name}", f"    :sid: '{sid}'", *([f"    :email: {email}"] if email else [])]
        lines += [f"  :created_at: {created}", "  :score: 0.0", "  :results:", "    tests: []"]
        lines += ["  :history:", "  - :created_at: 2026-01-01 10:00:00 Z", "    :score: 0.0"]
        write(root, {f"submission_{number}/convolution.py": WORK, f"submission_{number}/made/x.txt": "x"})
    write(root, {"submission_metadata.yml": "\n".join(lines) + "\n"})

    def row(day: int, hour: int, minute: int, second: int) -> Row:
        return Row(when=datetime(2026, 1, day, hour, minute, second, tzinfo=UTC), attempt=2)

    usual = row(2, 12, 34, 56)
    rows = dict.fromkeys(("0018", "0019", "number@x.test", "submission_900022", "0022", "0023"), usual)
    group = row(3, 0, 0, 0)
    return {**rows, "0017": row(2, 20, 34, 56), "0020": group, "0021": group, "0024": row(5, 12, 34, 56)}


def blackboard(root: Path) -> Rows:
    rows: Rows = {}
    people = [
        f"{name}{n}" for n, name in enumerate(("jdoe", "aada", "b_smith", "wzhang", "lee", "kim", "ng", "o.neil"))
    ]
    for number, login in enumerate([*people, "zoe", "yan"]):
        start = f"Lab 1_{login}_attempt_2026-01-02-12-34-{number:02}"
        told = f"Name: Jane Doe {number} ({login})\r\nAssignment: Lab 1\r\nDate Submitted: Friday, 2 January 2026\r\n"
        write(root, {f"{start}.txt": told, f"{start}_convolution.py": WORK})
        rows[login] = Row(when=datetime(2026, 1, 2, 12, 34, number, tzinfo=ZONE))
    again = "Lab 1_zoe_attempt_2026-01-03-08-00-00"
    write(root, {f"{again}.txt": "Name: Zoe (zoe)\nAssignment: Lab 1\n", f"{again}_convolution_torch.py": TORCH})
    rows["zoe"] = Row(("convolution_torch",), when=datetime(2026, 1, 3, 8, tzinfo=ZONE), attempt=2)
    nothing = "Lab 1_max_attempt_2026-01-03-09-00-00"
    write(root, {f"{nothing}.txt": "Name: Max (max)\nAssignment: Lab 1\n"})
    return {**rows, "max": Row((), when=datetime(2026, 1, 3, 9, tzinfo=ZONE))}


def brightspace(root: Path) -> Rows:
    rows: Rows = {}
    for number in range(10):
        minute = f"{(number % 12) + 1}{number:02}"
        write(root, {f"{100 + number}-67890 - Jane Doe {number} - Jan 2, 2026 {minute} PM - convolution.py": WORK})
        rows[str(100 + number)] = Row(when=datetime(2026, 1, 2, number + 13, number, tzinfo=ZONE))
    write(
        root,
        {"index.html": "<html></html>", "100-67890 - Jane Doe 0 - Jan 2, 2026 100 PM - convolution_torch.py": TORCH},
    )
    write(root, {"101-67899 - Jane Doe 1 - Jan 3, 2026 1234 AM - convolution.py": WORK})
    write(root, {"110-1 - W0042 - Anne-Marie O'Neil - Jan 2, 2026 1159 PM/convolution.py": WORK})
    rows["100"] = Row(("convolution", "convolution_torch"), when=datetime(2026, 1, 2, 13, 0, tzinfo=ZONE))
    rows["101"] = Row(when=datetime(2026, 1, 3, 0, 34, tzinfo=ZONE), attempt=2)
    rows["W0042"] = Row(when=datetime(2026, 1, 2, 23, 59, tzinfo=ZONE))
    return rows


def sakai(root: Path) -> Rows:
    table = ["Lab 1,Points,,,", "", "Display ID,ID,Last Name,First Name,grade"]
    rows: Rows = {}
    for number in range(10):
        login = f"u00{number}"
        folder = f"Doe (Smith), Jane {number}({login})"
        table.append(f"{login},{login},Doe,Jane,")
        write(root, {f"{folder}/timestamp.txt": f"2026010212345{number}789"})
        write(
            root, {f"{folder}/Anhänge der Abgabe/convolution.py": WORK, f"{folder}/Doe_submissionText.html": "\ufeff"}
        )
        rows[login] = Row(when=datetime(2026, 1, 2, 12, 34, 50 + number, tzinfo=UTC))
    (root / "Doe, Nobody(u010)" / "Feedback Attachment(s)").mkdir(parents=True)
    write(root, {"grades.csv": "\n".join(table)})
    write(root, {"Doe, Nobody(u010)/comments.txt": ""})
    return {**rows, "u010": Row(())}


def nbgrader(root: Path) -> Rows:
    rows: Rows = {}
    for number, name in enumerate(("ada", "jorg", "max+moritz", "0042", "é", "f", "g", "h", "i")):
        write(root, {f"submitted/{name}/a1_convolution/convolution.py": WORK})
        stamp = "2026-02-02 14:58:23.948203 " + ("UTC" if number % 2 else "Europe/Berlin")
        write(root, {f"submitted/{name}/a1_convolution/timestamp.txt": stamp})
        hour = 14 if number % 2 else 13
        rows[name] = Row(when=datetime(2026, 2, 2, hour, 58, 23, 948203, tzinfo=UTC))
    write(root, {"submitted/jorg/a2_activations/activations.py": "x = 1\n", "source/a1_convolution/convolution.py": ""})
    write(root, {"gradebook.db": b"\0", "submitted/late/a2_activations/activations.py": ""})
    return {**rows, "late": Row(())}


def repositories(root: Path) -> Rows:
    names = ("octojane", "bob-the-builder", "bob", *(f"student-{n}" for n in range(8)))
    for name in names:
        write(root / f"lab-1-{name}", {"convolution.py": WORK, ".git/config": "", ".github/workflows/x.yml": ""})
    return dict.fromkeys(names, Row())


def plain(root: Path) -> Rows:
    write(
        root,
        {
            "ada/convolution.py": WORK,
            "ben.py": WORK,
            "chen.zip": packed({"hw/convolution.py": WORK}),
            "dora/deep/er/convolution.py": WORK,
            "王小明/convolution.py": WORK,
            "José Ñ. O'Neil/convolution (1).py": WORK,
            "eve.v2.py": WORK,
            "Fay.py": WORK,
            "fay.zip": packed({"convolution.py": WORK}),
            "gus/homework.zip": packed({"convolution.py": WORK}),
            "notes.txt": "of the teacher",
        },
    )
    keys = ("ada", "ben", "chen", "dora", "王小明", "José Ñ. O'Neil", "eve.v2", "Fay.py", "fay.zip", "gus")
    return dict.fromkeys(keys, Row())


EXPORTS: dict[str, tuple[Callable[[Path], Rows], str]] = {  # name → what writes it, and what is said of it
    "canvas": (canvas, "Canvas download: 13 students, 3 late."),
    "moodle": (moodle, "Moodle download: 11 students, 1 in groups."),
    "moodle flat": (moodle_flat, "Moodle download: 10 students."),
    "moodle blind": (moodle_blind, "Moodle download: 10 students."),
    "gradescope": (gradescope, "Gradescope export: 10 students, 1 in groups, 1 with several attempts; latest taken."),
    "blackboard": (blackboard, "Blackboard download: 11 students, 1 with several attempts; latest taken."),
    "brightspace": (brightspace, "Brightspace download: 11 students, 1 with several attempts; latest taken."),
    "sakai": (sakai, "Sakai download: 11 students, 1 handed in nothing."),
    "nbgrader": (nbgrader, "nbgrader folder: 10 students, 1 handed in nothing."),
    "lab-1-submissions": (repositories, "Repositories: 11 students."),
    "plain": (plain, "Plain folder: 10 students."),
}
