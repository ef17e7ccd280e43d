"""Files back to a platform: each is read again by a reader of its own, which knows the platform's rules."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import store
from autograder.cli import main
from autograder.collect.entry import HANDED_IN, HandIn, Person
from autograder.exports.sheet import read_sheet
from autograder.results import CriterionResult, ExerciseResult, NotGraded, RunRecord, SubmissionResult

TITLE, NAME = "Lab 1", "a1_first"
MESSAGE = "“a | b”: ```ping``` @octojane, see #12."


@dataclass(frozen=True)
class Known:
    """A student as the platforms know her, and what she got; None is not graded."""

    id: str
    name: str
    login: str
    email: str
    score: float | None
    number: int

    @property
    def last_first(self) -> str:
        first, _, last = self.name.rpartition(" ")
        return f"{last}, {first}"


CLASS = (
    Known("007", "José O'Neil-Cruz", "jose7", "jose@uni.example", 87.5, 503121),
    Known("0042", 'Ada "Countess" Lovelace', "ada", "ada@uni.example", 100, 503122),
    Known("100", "Kim Lee", "klee1", "kim.lee@uni.example", 12, 503123),
    Known("200", "Kim Lee", "klee2", "lee.kim@uni.example", 34.25, 503124),
    Known("300", "Zoë Müller, Dr.", "zoe", "zoe@uni.example", None, 503125),
    Known("400", "Łukasz Ångström", "lukasz", "lukasz@uni.example", 0, 503126),
)
ONLY_GRADED = Known("900", "Only Graded", "onlyg", "only@uni.example", 50, 503199)
ONLY_THERE = Known("901", "Only There", "onlyt", "there@uni.example", None, 503200)
EXPORTED = (*CLASS, ONLY_THERE)
GRADED = {one.id: one for one in CLASS if one.score is not None}


def result(key: str, score: float | None) -> tuple[SubmissionResult, RunRecord]:
    if score is None:
        lost = NotGraded(key, NAME, TITLE, "The sandbox did not start.")
        return lost.result(), RunRecord(not_graded=lost)
    criteria = (CriterionResult("values", score, True), CriterionResult("errors", 100 - score, False, MESSAGE))
    return SubmissionResult(key, NAME, TITLE, (ExerciseResult("main", "topic", "failed", criteria),)), RunRecord()


def write(out: Path, key: str, score: float | None, facts: HandIn | None) -> None:
    folder = store.folder_of(out, key)
    store.write_results(folder, *result(key, score))
    if facts:
        store.write_json(folder / HANDED_IN, facts.to_json())
    store.write_json(out / "run.json", {"assignment": NAME})


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    """Graded with a roster: everyone has all that a platform may ask for."""
    out = tmp_path / "grades"
    for one in (*CLASS, ONLY_GRADED):
        person = Person(one.id, one.name, one.login, one.email, "1-2")
        write(out, one.id, one.score, HandIn("plain", one.id, (person,), source=one.login))
    return out


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, said.out + said.err


def changed_lines(before: bytes, after: bytes) -> list[int]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    assert len(old) == len(new)
    return [number for number, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]


def check_lists(said: str) -> None:
    assert re.search(r"In the export but not graded: (?:Only There|There, Only) \(901\)\.", said)
    assert "Graded but not in the export: Only Graded (900)." in said
    assert "Not graded, and left as it was: Zoë Müller, Dr. (300)." in said


def canvas(delimiter: str = ",", mark: str = "") -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 0 (11)", "Lab 1 (12)", "Final Score"]
    )
    writer.writerow([""] * 6 + ["Manual Posting", ""])
    writer.writerow(["    Points Possible", "", "", "", "", "10", "100", "(read only)"])
    for number, one in enumerate(EXPORTED):
        writer.writerow(
            [one.last_first, 4000 + number, one.id, one.login, "S 1", "9", "0" if one.id == "400" else "", "50"]
        )
    writer.writerow(["Student, Test", "9999", "", "b6c", "S 1", "", "", ""])
    return mark + file.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_canvas(grades: Path, tmp_path: Path, delimiter: str, mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Matched by SIS ids; the row of points, the test student and the other columns stay."""
    (tmp_path / "export.csv").write_text(canvas(delimiter, mark), encoding="utf-8", newline="")
    before = (tmp_path / "export.csv").read_bytes()
    code, said = run(capsys, "export", "canvas", grades, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    assert code == 0
    check_lists(said)
    after = (tmp_path / "copy.csv").read_bytes()
    assert (tmp_path / "export.csv").read_bytes() == before
    assert after.startswith(b"\xef\xbb\xbf") == bool(mark)
    assert changed_lines(before, after) == [3, 4, 5, 6]  # the fifth is not graded, the sixth has its 0 already
    table = pandas.read_csv(io.BytesIO(after), sep=delimiter, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    assert list(table.columns) == canvas(delimiter).splitlines()[0].split(delimiter)
    assert table["Lab 1 (12)"][1] == "100"
    assert set(table["Final Score"][2:]) == {"50", ""}
    rows = table.set_index("SIS User ID")["Lab 1 (12)"]
    # Canvas takes the last comma or point for the decimal mark
    got = {student: float(rows[student].replace(",", ".")) for student in GRADED}
    assert got == {student: one.score for student, one in GRADED.items()}
    assert rows["300"] == rows["901"] == ""


def test_canvas_by_its_own_numbers_without_a_roster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal names are told apart by the number in the names of the files; a number that is another's id misleads no
    one, and of a group, which has one number, only the names count.
    """
    out = tmp_path / "grades"
    files = {4002: "leekim_4002_1_lab1.py", 4003: "leekim_LATE_4003_2_lab1.py", 4000: "oneilcruzjosé_4000_3_lab1.py"}
    for number, source in files.items():
        person = Person(id=str(number), name=source.split("_")[0])
        write(out, str(number), number - 3990, HandIn("canvas", str(number), (person,), source=source))
    group = (Person(name="Ada Lovelace"), Person(name="Zoë Müller"))
    for person in group:
        facts = HandIn("canvas", person.name, (person, *(set(group) - {person})), source="groupone_4005_9_lab1.py")
        write(out, person.name, 77, facts)
    write(out, "4001", 5, HandIn("plain", "4001", (Person(id="4001", name="Someone Else"),), source="x"))
    (tmp_path / "export.csv").write_text(canvas(), encoding="utf-8", newline="")
    code, said = run(capsys, "export", "canvas", out, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    assert code == 0
    rows = {row["ID"]: row["Lab 1 (12)"] for row in csv.DictReader(io.StringIO((tmp_path / "copy.csv").read_text()))}
    assert (rows["4002"], rows["4003"], rows["4000"]) == ("12", "13", "10")
    assert (rows["4001"], rows["4004"], rows["4005"]) == ("", "", "0")  # as they were
    assert "Not told apart: Someone Else (4001): the row with this id is that of " in said
    assert "Graded but not in the export: " in said


def worksheet(words: tuple[str, ...], delimiter: str, decimal: str) -> str:
    participant, *header = words
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    for one in EXPORTED:
        old = {"400": f"0{decimal}00", "007": f"1{decimal}50"}.get(one.id, "")
        row = [f"{participant} {one.number}", one.name, one.email, "Submitted for grading - ", old, f"100{decimal}00"]
        writer.writerow([*row, "Yes", "Monday, 1 March 2027, 8:00 PM", "-", f"<p>{one.name}, keep\nthis</p>"])
    return "\ufeff" + file.getvalue()


ENGLISH = (
    *("Participant", "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"),
    *("Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"),
)
GERMAN = (
    *("Teilnehmer/in", "ID", "Vollständiger Name", "E-Mail-Adresse", "Status", "Bewertung", "Bestwertung"),
    *(
        "Bewertung kann geändert werden",
        "Zuletzt geändert (Abgabe)",
        "Zuletzt geändert (Bewertung)",
        "Feedback als Kommentar",
    ),
)


@pytest.mark.parametrize(
    ("words", "delimiter", "decimal"), [(ENGLISH, ",", "."), (GERMAN, ",", ","), (GERMAN, ";", ",")]
)
def test_moodle_worksheet(
    tmp_path: Path, words: tuple[str, ...], delimiter: str, decimal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In any language, by the number in the names of the folders, though nobody has an id and two have one name."""
    out = tmp_path / "grades"
    for one in (*CLASS, ONLY_GRADED):
        stripped = re.sub(r"[\"']", "", one.name)  # as Moodle names a folder
        person = Person(name=stripped)
        source = f"{stripped}_{one.number}_assignsubmission_file"
        write(
            out, f"{stripped} {one.id}", one.score, HandIn("moodle", f"{stripped} {one.id}", (person,), source=source)
        )
    (tmp_path / "export.csv").write_text(worksheet(words, delimiter, decimal), encoding="utf-8", newline="")
    before = (tmp_path / "export.csv").read_bytes()
    code, said = run(capsys, "export", "moodle", out, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    assert code == 0
    assert "4 changed, 1 as before" in said
    assert "In the export but not graded: Only There" in said
    assert "Graded but not in the export: Only Graded (Only Graded 900)." in said
    after = (tmp_path / "copy.csv").read_bytes()
    assert len(changed_lines(before, after)) == 4
    header, *rows = csv.reader(io.StringIO(after.decode("utf-8-sig"), newline=""), delimiter=delimiter)
    assert header == list(words[1:])
    old = list(csv.reader(io.StringIO(before.decode("utf-8-sig"), newline=""), delimiter=delimiter))[1:]
    for one, new, row in zip(EXPORTED, rows, old, strict=True):
        assert new[:4] + new[5:] == row[:4] + row[5:]
        # Moodle reads the decimal mark of the user's language
        assert (float(new[4].replace(decimal, ".")) if new[4] else None) == one.score


def test_moodle_feedback_zip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each page under the folder that Moodle named, or, in a flat download, the name that a file starts with."""
    out = tmp_path / "grades"
    sources = {
        "Kim Lee": "Kim Lee_503123_assignsubmission_file",
        "Kim Lee (2)": "Kim Lee_503124_assignsubmission_file_",
        "Zoë": "Zoë_503125_assignsubmission_file_lab, 1.py, Zoë_503125_assignsubmission_file_b.py",
    }
    for key, source in sources.items():
        write(out, key, 50, HandIn("moodle", key, (Person(name=key),), source=source))
    write(out, "absent", 0, HandIn("roster", "absent", (Person(name="absent"),)))
    code, said = run(capsys, "export", "moodle-feedback", out, "-o", tmp_path / "feedback.zip")
    assert code == 0
    assert "Feedback for 3 of 4 students.\nWithout a folder in a Moodle download: absent.\n" in said
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert sorted(archive.namelist()) == [
            "Kim Lee_503123_assignsubmission_file/feedback.html",
            "Kim Lee_503124_assignsubmission_file_/feedback.html",
            "Zoë_503125_assignsubmission_file_feedback.html",
        ]
        assert (
            archive.read("Kim Lee_503124_assignsubmission_file_/feedback.html")
            == (store.folder_of(out, "Kim Lee (2)") / "feedback.html").read_bytes()
        )
        for name in archive.namelist():  # Moodle wants name_number_ in any part of the path
            assert re.search(r"(?:^|/)[^_/]+_\d+_", name)


def test_gradescope_blackboard_and_brightspace(
    grades: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def first_last(one: Known) -> tuple[str, str]:
        first, _, last = one.name.rpartition(" ")
        return first, last

    gradescope = io.StringIO()
    writer = csv.writer(gradescope, lineterminator="\n")
    writer.writerow(
        ["First Name", "Last Name", "SID", "Email", "Sections", "Total Score", "Max Points", "Status", "Submission ID"]
    )
    for one in EXPORTED:
        writer.writerow([*first_last(one), one.id, one.email, "", "", "100.0", "Ungraded", "9"])
    blackboard = io.StringIO()
    writer = csv.writer(blackboard, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(["Last Name", "First Name", "Username", "Student ID", "Lab 1 [Total Pts: 100 Score] |77"])
    for one in EXPORTED:
        writer.writerow([*reversed(first_last(one)), one.login, one.id, ""])
    brightspace = io.StringIO()
    writer = csv.writer(brightspace, lineterminator="\r\n")
    item = "Lab 1 Points Grade <Numeric MaxPoints:100 Weight:10>"
    writer.writerow(["OrgDefinedId", "Username", item, "End-of-Line Indicator"])
    for one in EXPORTED:
        writer.writerow([f"#{one.id}", f"#{one.login}", "", "#"])
    cases = (
        ("gradescope", gradescope.getvalue().encode(), "SID", "Total Score", ","),
        ("blackboard", blackboard.getvalue().encode("utf-16"), "Username", "Lab 1 [Total Pts: 100 Score] |77", "\t"),
        ("brightspace", brightspace.getvalue().encode(), "OrgDefinedId", item, ","),
    )
    for platform, content, key, column, delimiter in cases:
        source, copy = tmp_path / f"{platform}.csv", tmp_path / f"{platform} copy.csv"
        source.write_bytes(content)
        code, said = run(capsys, "export", platform, grades, source, "-o", copy)
        assert code == 0, said
        check_lists(said.replace("not graded: 901.", "not graded: Only There (901)."))  # Brightspace gives no names
        encoding = "utf-16" if platform == "blackboard" else "utf-8"
        old, new = (path.read_bytes().decode(encoding) for path in (source, copy))
        assert new.count("\r\n") == old.count("\r\n")
        table = pandas.read_csv(io.StringIO(new), sep=delimiter, dtype=str, keep_default_na=False)
        assert list(table.columns) == list(pandas.read_csv(io.StringIO(old), sep=delimiter).columns)
        rows = dict(zip(table[key], table[column], strict=True))
        for one in EXPORTED:
            name = {"SID": one.id, "Username": one.login, "OrgDefinedId": f"#{one.id}"}[key]
            assert (float(rows[name]) if rows[name] else None) == one.score
    quoted = (tmp_path / "blackboard copy.csv").read_bytes().decode("utf-16")
    assert all(cell.startswith('"') for line in quoted.splitlines() for cell in line.split("\t"))


def test_a_table_of_our_own_and_one_of_any_kind(
    grades: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(grades, "=1+1", 3, HandIn("plain", "=1+1", (Person(name='@SUM(A1),"x"'),), source="x"))
    assert run(capsys, "export", "plain", grades, "-o", tmp_path / "plain.csv")[0] == 0
    data = (tmp_path / "plain.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))}
    assert (rows["'007"]["id"], rows["'007"]["name"], rows["'007"]["section"]) == ("'007", "José O'Neil-Cruz", "'1-2")
    assert (rows["'=1+1"]["name"], rows["100"]["score"], rows["300"]["score"]) == ('\'@SUM(A1),"x"', "12", "")
    (tmp_path / "list.csv").write_text("Matrikelnummer;Punkte\n007;\n0042;\n", encoding="utf-8")
    code, said = run(capsys, "export", "plain", grades, tmp_path / "list.csv", "-o", tmp_path / "copy.csv")
    assert (code, "No column is known to be the grade of Lab 1: choose one with --column, of 'Punkte'." in said) == (
        2,
        True,
    )
    arguments = (grades, tmp_path / "list.csv", "-o", tmp_path / "copy.csv", "--column", "punkte")
    assert run(capsys, "export", "plain", *arguments)[0] == 0
    assert (tmp_path / "copy.csv").read_text() == "Matrikelnummer;Punkte\n007;87,5\n0042;100\n"


def test_markdown_for_github(grades: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys, "export", "github", grades, "-o", tmp_path / "issues")
    assert code == 0
    assert "Not graded: Zoë Müller, Dr. (300)." in said
    assert {path.name for path in (tmp_path / "issues").iterdir()} == {
        f"{one.login}.md" for one in (*GRADED.values(), ONLY_GRADED)
    }
    text = (tmp_path / "issues" / "jose7.md").read_text(encoding="utf-8")
    assert text.startswith("# Lab 1\n\n**87.5 of 100 points**\n")
    fenced = re.search(r"^  (`{4,})text\n  (.*)\n  \1$", text, re.MULTILINE)  # three ticks would end within the message
    assert fenced
    assert fenced[2] == MESSAGE


SHEET = 'Student,ID,SIS User ID,Section,{}\n    Points Possible,,,,{}\n"Lee, Kim",1,100,S,{}\n'


@pytest.mark.parametrize(
    ("columns", "arguments", "sentence"),
    [
        (
            "Lab 1 (12),Lab 1 (13)",
            [],
            "Several columns could be the grade of Lab 1: choose one with --column, of 'Lab 1 (12)', 'Lab 1 (13)'.",
        ),
        (
            "Lab 1 (12),Lab 1 (13)",
            ["--column", "Lab 1"],
            "--column 'Lab 1' fits several columns; there are 'Lab 1 (12)', 'Lab 1 (13)'.",
        ),
        (
            "Lab 2 (12),Lab 3 (13)",
            [],
            "No column is known to be the grade of Lab 1: choose one with --column, of 'Lab 2 (12)', 'Lab 3 (13)'.",
        ),
        ("Lab 2 (12),Lab 3 (13)", ["--column", "Section"], "--column 'Section' fits no column of grades; there are"),
        ("Lab 1 (12),Lab 10 (13)", [], ""),
        ("Lab 1 (12),Lab 1 (13)", ["--column", "13"], ""),
    ],
)
def test_the_column_is_chosen_or_asked_for(
    grades: Path, tmp_path: Path, columns: str, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "export.csv").write_text(SHEET.format(columns, "100,100", ","), encoding="utf-8")
    there = (grades, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    code, said = run(capsys, "export", "canvas", *there, *arguments)
    assert (code, (tmp_path / "copy.csv").exists()) == ((2, False) if sentence else (0, True))
    assert sentence in said
    assert "Traceback" not in said
    if not sentence:
        last = (tmp_path / "copy.csv").read_text(encoding="utf-8").splitlines()[-1]
        assert last == ('"Lee, Kim",1,100,S,,12' if arguments else '"Lee, Kim",1,100,S,12,')


def test_other_points_there_are_refused_or_scaled(
    grades: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "export.csv").write_text(SHEET.format("Lab 1 (12)", "10", "EX"), encoding="utf-8")
    there = (grades, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    code, said = run(capsys, "export", "canvas", *there)
    assert (code, "There the assignment has 10 points, and here 100" in said) == (2, True)
    code, said = run(capsys, "export", "canvas", *there, "--scale")
    assert (code, "No number stood there, and was left: Kim Lee (100) (EX)." in said) == (0, True)
    assert (tmp_path / "copy.csv").read_bytes() == (tmp_path / "export.csv").read_bytes()
    (tmp_path / "export.csv").write_text(SHEET.format("Lab 1 (12)", "10", ""), encoding="utf-8")
    assert run(capsys, "export", "canvas", *there, "--scale")[0] == 0
    assert (tmp_path / "copy.csv").read_text(encoding="utf-8").endswith('"Lee, Kim",1,100,S,1.2\n')


def test_equal_names_and_doubtful_ones_are_never_matched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "grades"
    people = {
        "Kim Lee": Person(name="Kim Lee"),  # two rows have the name
        "Max Roe": Person(name="Max Roe", email="max@a.example"),  # the row has another address
        "Eva Poe": Person(name="Eva Poe"),  # one here, one there
        "Jo Doe": Person(name="Jo Doe"),  # two here, one there
        "Jo Doe (2)": Person(name="Jo Doe"),
    }
    for key, person in people.items():
        write(out, key, 40, HandIn("moodle", key, (person,), source="x"))
    rows = [
        "Kim Lee,1@x.example",
        "Kim Lee,2@x.example",
        "Max Roe,max@b.example",
        "Eva Poe,eva@x.example",
        "Jo Doe,j@x.example",
    ]
    text = "Name,Email,Lab 1\n" + "".join(f"{row},\n" for row in rows)
    (tmp_path / "export.csv").write_text(text, encoding="utf-8")
    code, said = run(capsys, "export", "plain", out, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    assert code == 0
    assert (tmp_path / "copy.csv").read_text(encoding="utf-8") == text.replace("eva@x.example,", "eva@x.example,40")
    assert said.count("Not told apart: ") == 4
    assert "Max Roe: the name fits the row of Max Roe (max@b.example), but not the email." in said
    assert (
        "In the export but not graded: Kim Lee (1@x.example); Kim Lee (2@x.example); Max Roe (max@b.example); Jo Doe"
        in said
    )
    assert "Graded but not in the export: Jo Doe; Jo Doe (Jo Doe (2)); Kim Lee; Max Roe." in said


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Name,Lab 1\n\xff\xfe\xfa,\n", "is not UTF-8 text"),
        (b"", "has no line below its headers"),
        (b"Lab 1,Lab 2\n1,2\n", "says whom a row is about"),
        (b'Name,Lab 1\nA,"1,5"\nB,1.5\n', "Some grades have a decimal comma, and some a decimal point"),
    ],
)
def test_a_damaged_export_is_one_sentence(
    grades: Path, tmp_path: Path, content: bytes, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "export.csv").write_bytes(content)
    code, said = run(capsys, "export", "plain", grades, tmp_path / "export.csv", "-o", tmp_path / "copy.csv")
    assert (code, sentence in said, said.count("\n")) == (2, True, 1)


def test_the_export_itself_is_never_written(grades: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "export.csv").write_text(canvas(), encoding="utf-8")
    code, said = run(capsys, "export", "canvas", grades, tmp_path / "export.csv", "-o", tmp_path / "export.csv")
    assert (code, "is the exported file itself" in said) == (2, True)
    assert (tmp_path / "export.csv").read_text(encoding="utf-8") == canvas()
    code, said = run(capsys, "export", "canvas", grades, "-o", tmp_path / "copy.csv")
    assert (code, "give the file that the platform exports" in said) == (2, True)


CELLS = st.text(st.sampled_from("ab0 ,;\t\"'é\n"), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=2, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_a_table_is_read_as_the_standard_library_reads_it_and_kept_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], end: str
) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator=end).writerows([["x", "y", "z,", "w"], *rows])
    path = tmp_path_factory.getbasetemp() / "table.csv"
    path.write_bytes(file.getvalue().encode())
    sheet = read_sheet(path)
    assert sheet.to_bytes() == path.read_bytes()
    assert [row.cells for row in sheet.rows] == list(csv.reader(io.StringIO(file.getvalue(), newline="")))
    sheet.replace(sheet.rows[-1], 1, '1,"5')
    again = list(csv.reader(io.StringIO(sheet.to_bytes().decode(), newline="")))
    assert again[-1][1] == '1,"5'
    assert again[:-1] == [row.cells for row in replace(sheet).rows[:-1]]
