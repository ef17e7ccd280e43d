"""The students in what each platform exports: the right rows, said in a sentence, in a folder and in an archive."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from zoneinfo import ZoneInfo

import exports
import inboxes
import pytest
from exports import EXPORTS, GRADED, TORCH, WORK, ZONE, Row, Rows, packed, write, zipped
from hypothesis import given
from hypothesis import strategies as st

from autograder.collect.download import CollectError
from autograder.collect.entry import Person
from autograder.collect.keep import keep
from autograder.collect.roster import read_roster
from autograder.collect.students import Collected, Student, collect
from autograder.submission import SubmissionPathError, read


def found(
    *paths: Path, roster: str | None = None, platform: str = "", graded: dict[str, list[str]] = GRADED
) -> Collected:
    listed = None
    if roster is not None:
        file = paths[0].parent / "roster.csv"
        file.write_text(roster, encoding="utf-8")
        listed = read_roster(file)
    return collect(paths, graded, assignment="a1_convolution", roster=listed, platform=platform, zone=ZONE)


def rows(students: Iterable[Student], place: Path) -> Rows:
    """What is graded of each, once it is kept."""
    found = {}
    for number, student in enumerate(students):
        parts: tuple[str, ...] = ()
        if one := student.attempt:
            kept = keep(one, place / str(number))
            parts = tuple(sorted(read(student.key, kept.path, GRADED).parts))
            found[student.key] = Row(parts, one.when, one.late, one.number)
        else:
            found[student.key] = Row(parts)
    return found


@pytest.mark.parametrize("form", ["folder", "archive", "wrapped archive", "folder in a folder", "archive in a folder"])
@pytest.mark.parametrize("name", EXPORTS)
def test_each_export_gives_its_students(tmp_path: Path, name: str, form: str) -> None:
    make, sentence = EXPORTS[name]
    place = tmp_path / "in" / name
    wanted = make(place)
    if "archive" in form:
        archive = zipped(place, f"{name}/" if "wrapped" in form else "")
        shutil.rmtree(place)
        place = archive
    if "in a folder" in form:
        place = place.parent
    platform = "plain" if name == "plain" and form != "folder" else ""
    if platform and form == "folder in a folder":
        place /= name
    if platform and form == "archive in a folder":
        place = archive
    got = found(place, platform=platform)
    assert rows(got.students, tmp_path / "out") == wanted
    assert sentence in got.sentences


# identity


def test_the_facts_of_people_are_those_of_the_platform(tmp_path: Path) -> None:
    exports.gradescope(tmp_path / "export")
    exports.sakai(tmp_path / "sakai")
    people = {student.key: student for student in found(tmp_path / "export").students}
    assert people["0017"].person == Person(id="0017", name="Ada Lovelace", email="ada@x.test")
    assert [mate.name for mate in people["0020"].mates] == ["Fay Two"]
    assert people["0020"].attempt is people["0021"].attempt
    facts = people["0021"].hand_in("ab")
    assert facts.members[0].name == "Fay Two"
    assert facts.source == "submission_900021"
    (one, *_) = found(tmp_path / "sakai").students
    assert one.person == Person(name="Jane 0 Doe (Smith)", login="u000")


def test_several_attempts_are_there_to_choose_from(tmp_path: Path) -> None:
    exports.blackboard(tmp_path / "class")
    got = collect([tmp_path / "class"], GRADED, zone=ZONE, choose=lambda key, attempts: attempts[0])
    (zoe,) = [student for student in got.students if student.key == "zoe"]
    assert [one.number for one in zoe.attempts] == [1, 2]
    assert zoe.attempt == zoe.attempts[0]


@pytest.mark.parametrize("name", ["blackboard", "brightspace"])
def test_a_time_without_a_zone_is_none(tmp_path: Path, name: str) -> None:
    EXPORTS[name][0](tmp_path / name)
    got = collect([tmp_path / name], GRADED)
    assert {one.attempt.when for one in got.students if one.attempt} == {None}
    assert any("--timezone" in sentence for sentence in got.sentences)
    zoned = collect([tmp_path / name], GRADED, zone=ZoneInfo("Europe/Berlin"))
    assert any("Europe/Berlin" in sentence for sentence in zoned.sentences)
    assert [one.key for one in zoned.students] == [one.key for one in got.students]
    again = [one.attempt.source for one in got.students if one.attempt]
    assert again == [one.attempt.source for one in zoned.students if one.attempt]  # the latest without a zone, too


@pytest.mark.parametrize(
    ("name", "item", "key"),
    [
        ("moodle", "José Núñez_503123_assignsubmission_file", "José Núñez"),
        ("canvas", "oneilcruzjosé_4023_88313_homework.zip", "4023"),
        ("gradescope", "submission_900017", "0017"),
        ("blackboard", "Lab 1_jdoe0_attempt_2026-01-02-12-34-00_convolution.py", "jdoe0"),
        ("sakai", "Doe (Smith), Jane 3(u003)", "u003"),
        ("plain", "ada", "ada"),
    ],
)
def test_a_student_given_alone_has_the_key_of_the_class(tmp_path: Path, name: str, item: str, key: str) -> None:
    EXPORTS[name][0](tmp_path / name)
    assert [one.key for one in found(tmp_path / name / item).students] == [key]


def test_what_was_graded_before_keeps_its_key(tmp_path: Path) -> None:
    exports.moodle(tmp_path / "moodle")
    write(tmp_path / "class", {"gus/homework.zip": packed({"convolution.py": WORK}), "ada/convolution.py": WORK})
    before = [one.hand_in() for path in ("moodle", "class") for one in found(tmp_path / path).students]
    for path, key in (("moodle/Wei Zhang_503125_assignsubmission_file", "Wei Zhang (503125)"), ("class/gus", "gus")):
        (one,) = collect([tmp_path / path], GRADED, earlier=before).students
        assert one.key == key


def test_sections_with_equal_names_stay_apart(tmp_path: Path) -> None:
    write(tmp_path, {"secA/ada/convolution.py": WORK, "secB/ada/convolution.py": WORK, "secB/ben/convolution.py": WORK})
    got = found(tmp_path / "secA", tmp_path / "secB")
    assert [one.key for one in got.students] == ["ada (secA)", "ada (secB)", "ben"]
    assert [one.person.section for one in got.students] == ["secA", "secB", "secB"]
    assert [one.key for one in found(tmp_path / "secB", tmp_path / "secA").students] == [
        "ada (secA)",
        "ada (secB)",
        "ben",
    ]


# rosters


ROSTER = "Student ID,Full name,Email,Section,User name\n"


def test_a_roster_gives_ids_and_adds_who_handed_in_nothing(tmp_path: Path) -> None:
    write(tmp_path / "class", {"Ada Lovelace/convolution.py": WORK, "bsmith.py": WORK, "stranger.py": WORK})
    listed = ROSTER + "0007,Lovelace Ada,a@x.test,A,alove\n0008,Ben Smith,b@x.test,B,bsmith\n0009,Cem,c@x.test,B,cem\n"
    got = found(tmp_path / "class", roster=listed)
    assert {one.key: (one.person.section, one.attempt is None) for one in got.students} == {
        "0007": ("A", False),
        "0008": ("B", False),
        "0009": ("B", True),
        "stranger": ("", False),
    }
    assert "Nothing was handed in by 1 on the roster: Cem." in got.sentences
    assert "Not on the roster, or not to be told apart by it: stranger." in got.sentences


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("First Name,Last Name,SID,Email,Role,Section", "Ada,Lovelace,0007,a@x.test,Student,A"),
        ("identifier,github_username,github_id,name", "0007,alove,99,Ada Lovelace"),
        ("username,first_name,last_name,email,section,github_id", "0007,Ada,Lovelace,a@x.test,A,5"),
        ("Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (5)", '"Lovelace, Ada",4021,0007,alove,A,'),
        ("Name;Matrikelnummer;E-Mail", "Ada Lovelace;0007;a@x.test"),
        ("OrgDefinedId\tUsername\tLast Name\tFirst Name", "0007\talove\tLovelace\tAda"),
    ],
)
def test_rosters_of_many_kinds_are_read(tmp_path: Path, header: str, row: str) -> None:
    write(tmp_path / "class", {"Ada Lovelace/convolution.py": WORK})
    extra = "\n    Points Possible,,,,,10" if header.startswith("Student") else ""
    got = found(tmp_path / "class", roster=f"\ufeff{header}\r{extra}\n{row}\r\n\n")
    assert [one.key for one in got.students] == ["0007"]


def test_a_canvas_class_is_matched_by_its_ids(tmp_path: Path) -> None:
    exports.canvas(tmp_path / "class")
    listed = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",4021,S1,al,A\n"Müller, Jörg",4022,S2,jm,B\n'
    keys = [one.key for one in found(tmp_path / "class", roster=listed).students]
    assert {"S1", "S2", "4023"} <= set(keys)
    assert len(keys) == 13


def test_repositories_are_matched_by_the_roster(tmp_path: Path) -> None:
    exports.repositories(tmp_path / "clones")
    listed = "identifier,github_username,name\n01,bob,Bob\n02,the-builder,Tea\n03,octojane,Jane\n04,bob-the-builder,B\n"
    people = {one.key: one.attempt for one in found(tmp_path / "clones", roster=listed).students}
    sources = {key: one.source for key, one in people.items() if one}
    assert sources["01"] == "lab-1-bob"
    assert sources["04"] == "lab-1-bob-the-builder"
    assert people["02"] is None
    assert sources["lab-1-student-0"] == "lab-1-student-0"


def test_each_member_of_a_group_on_the_roster_has_a_row(tmp_path: Path) -> None:
    write(tmp_path / "class", {"Default group_assignsubmission_file/convolution.py": WORK})
    listed = "id,name,group\n1,Ada,Default group\n2,Ben,Default group\n3,Cem,\n"
    got = found(tmp_path / "class", roster=listed)
    assert [(one.key, [mate.id for mate in one.mates]) for one in got.students] == [
        ("1", ["2"]),
        ("2", ["1"]),
        ("3", []),
    ]
    assert [len(group) for group in got.groups()] == [2, 1]


def test_what_another_plugin_of_moodle_holds_is_refused(tmp_path: Path) -> None:
    names = ["file_convolution.py", "onlinetext_onlinetext.html", "extra_convolution_torch.py"]
    write(
        tmp_path / "class",
        {f"{who}_assignsubmission_{name}": WORK for who in ("Ada B_51", "Bob C_52") for name in names},
    )
    with pytest.raises(CollectError, match=r"Ada B_51_assignsubmission_extra_.* in it belongs to no student") as caught:
        found(tmp_path / "class")
    assert "onlinetext" not in str(caught.value)


def test_equal_names_on_a_roster_are_not_guessed(tmp_path: Path) -> None:
    exports.moodle(tmp_path / "class")
    got = found(tmp_path / "class", roster="id,name\n1,Ada Lovelace\n2,Wei Zhang\n3,Wei Zhang\n")
    keys = [one.key for one in got.students]
    assert {"1", "2", "3", "Wei Zhang (503124)", "Wei Zhang (503125)"} <= set(keys)
    assert any("Wei Zhang" in sentence for sentence in got.sentences if sentence.startswith("Not on the roster"))


# plain folders


def keys(*paths: Path) -> list[str]:
    return [one.key for one in found(*paths).students]


@pytest.mark.parametrize(
    "name",
    ["convolution.py", "Convolution.py", "convolution (1).py", "convolution-2.py", "Copy of convolution_torch.py"],
)
def test_a_folder_with_a_graded_file_is_one_submission(tmp_path: Path, name: str) -> None:
    write(tmp_path / "alice", {name: "", "helper.py": "", "sub/x.py": "", "old/convolution.py": ""})
    (alice,) = found(tmp_path / "alice").students
    assert alice.key == "alice"
    assert alice.attempt
    assert alice.attempt.path == tmp_path / "alice"


def test_a_class_folder_holds_one_submission_a_child(tmp_path: Path) -> None:
    files = ("dora/convolution.py", "bob.ipynb", "alice.ZIP", "eve.v2.py", "grades.csv", "README.txt", ".DS_Store")
    write(tmp_path / "class", dict.fromkeys((*files, "__MACOSX/x.py", "__pycache__/x.py"), ""))
    (tmp_path / "class" / "empty").mkdir()
    got = found(tmp_path / "class")
    assert [one.key for one in got.students] == ["alice", "bob", "dora", "empty", "eve.v2"]
    assert f"Passed over in {tmp_path / 'class'}: README.txt, grades.csv." in got.sentences


def test_keys_are_unique_whatever_the_case(tmp_path: Path) -> None:
    write(tmp_path / "one", {"alice.py": "", "Alice.zip": "", "bob.py": ""})
    write(tmp_path / "two", {"bob.py": "", "carl/x.py": ""})
    wanted = ["Alice.zip", "alice.py", "bob (one)", "bob (two)", "carl"]
    assert keys(tmp_path / "one", tmp_path / "two") == wanted
    assert keys(tmp_path / "one" / "bob.py", tmp_path / "one" / "bob.py") == ["bob"]


def test_a_file_is_one_submission(tmp_path: Path) -> None:
    write(tmp_path, {"solution.txt": "", "alice.py": ""})
    assert keys(tmp_path / "alice.py", tmp_path / "solution.txt") == ["alice", "solution"]


def test_a_given_link_is_followed_and_keeps_its_name(tmp_path: Path) -> None:
    write(tmp_path / "real", {"convolution.py": WORK})
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    assert keys(tmp_path / "alias") == ["alias"]


def test_an_empty_class_has_no_submissions(tmp_path: Path) -> None:
    assert keys(tmp_path) == []


def test_a_path_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SubmissionPathError, match=r"^\S*/nowhere does not exist\.$"):
        found(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("pipe", "loop"):
        with pytest.raises(SubmissionPathError, match=f"{name} cannot be read"):
            found(tmp_path / name)


def test_keys_can_name_a_folder(tmp_path: Path) -> None:
    write(tmp_path, {"...py": "", " bob .py": "", "..  .py": ""})
    assert keys(tmp_path / "...py", tmp_path / " bob .py") == ["bob", "unnamed"]
    (tmp_path / "class").mkdir()
    os.mkdir(os.fsencode(tmp_path / "class") + b"/al\xff\nice")
    assert keys(tmp_path / "class") == ["al\ufffd\ufffdice"]


def test_one_name_in_two_unicode_forms_has_one_key(tmp_path: Path) -> None:
    write(tmp_path / unicodedata.normalize("NFD", "José"), {"convolution.py": WORK})
    write(tmp_path / "Núñez", {"convolution.py": WORK})
    assert keys(tmp_path) == ["José", "Núñez"]


# what is ambiguous


YAML = "submission_1:\n  :submitters:\n  - :name: Ada\n"
BOARD = "Lab {0}_{1}_attempt_2026-01-02-12-34-56"
AMBIGUOUS: dict[str, tuple[dict[str, str | bytes], str, str]] = {  # files, the path to give, what is said
    "a stray graded file": (
        {"class/convolution.py": "", "class/ada/convolution.py": "", "class/ben/convolution.py": ""},
        "class",
        "holds convolution.py beside ada, ben",
    ),
    "a stray graded file beside archives": (
        {"class/convolution.py": "", "class/ada.zip": packed({}), "class/ben.zip": packed({})},
        "class",
        "holds convolution.py beside ada.zip, ben.zip",
    ),
    "a class in a folder": (
        {"in/class/ada/convolution.py": "", "in/class/ben/convolution.py": ""},
        "in",
        "class in .* holds the same graded file in ada, ben",
    ),
    "a class beside students": (
        {"in/ada/convolution.py": "", "in/b/x/convolution.py": "", "in/b/y/convolution.py": ""},
        "in",
        "b in .* holds the same graded file in x, y",
    ),
    "an archive of a class or of versions": (
        {"in.zip": packed({"a/convolution.py": "", "b/convolution.py": ""})},
        "in.zip",
        "holds a, b: say --from plain",
    ),
    "an archive of archives": (
        {"in.zip": packed({"a.zip": "", "b.zip": ""})},
        "in.zip",
        "--from student if it is one student's",
    ),
    "an archive of a class beside students": (
        {"in/ada/convolution.py": "", "in/b.zip": packed({"x/convolution.py": "", "y/convolution.py": ""})},
        "in",
        "b.zip in .* holds the same graded file",
    ),
    "a Moodle archive beside a student": (
        {
            "in/ada.ipynb": "",
            "in/m.zip": packed({f"A {n}_{n}_assignsubmission_file_convolution.py": "" for n in (1, 2)}),
        },
        "in",
        "m.zip in .* is a Moodle download of 2",
    ),
    "a Canvas folder beside a student": (
        {"in/ada.py": "", "in/c/doe_11_22_x.py": "", "in/c/roe_12_23_x.py": ""},
        "in",
        "c in .* is a Canvas download of 2",
    ),
    "a stray file in a Canvas download": (
        {"in/doe_11_22_x.py": "", "in/roe_12_23_x.py": "", "in/convolution.py": ""},
        "in",
        "is a Canvas download, but convolution.py in it belongs to no student",
    ),
    "a stray folder in a Moodle download": (
        {"in/A_1_assignsubmission_file/x.py": "", "in/B_2_assignsubmission_file/x.py": "", "in/c/x.py": ""},
        "in",
        "is a Moodle download, but c in it",
    ),
    "two platforms": (
        {
            "in/A_1_assignsubmission_file/x.py": "",
            "in/B_2_assignsubmission_file/x.py": "",
            "in/grades.csv": "",
            "in/submitted/a/a1_convolution/x.py": "",
            "in/submitted/b/a1_convolution/x.py": "",
        },
        "in",
        "can be read as|belongs to no student",
    ),
    "folders and files of Moodle in one": (
        {"in/A_1_assignsubmission_file/x.py": "", "in/A_1_assignsubmission_file_x.py": ""},
        "in",
        "is there twice",
    ),
    "Gradescope's folders without metadata": (
        {"in/submission_1/convolution.py": "", "in/submission_2/convolution.py": ""},
        "in",
        "without submission_metadata.yml",
    ),
    "Gradescope's metadata, damaged": (
        {"in/submission_1/x.py": "", "in/submission_metadata.yml": "- [\n"},
        "in",
        "submission_metadata.yml in .* is damaged",
    ),
    "a folder that Gradescope's metadata does not name": (
        {
            "in/submission_1/x.py": "",
            "in/submission_2/x.py": "",
            "in/submission_metadata.yml": YAML + YAML.replace("1", "3"),
        },
        "in",
        "submission_2 in it belongs to no student",
    ),
    "several assignments of Blackboard": (
        {
            f"in/{BOARD.format(n, 'a')}{end}": f"Name: A (a)\nAssignment: Lab {n}\n"
            for n in (1, 2)
            for end in (".txt", "_x.py")
        },
        "in",
        "holds several assignments",
    ),
    "two folders of files of one Sakai student": (
        {
            "in/Doe, J(u1)/timestamp.txt": "20260102123456789",
            "in/Doe, J(u1)/Abgabe/x.py": "",
            "in/Doe, J(u1)/Rückmeldung/x.py": "",
        },
        "in",
        "nothing says which were handed in",
    ),
    "other assignments of nbgrader": (
        {"in/submitted/a/b2/x.py": "", "in/submitted/a/b3/x.py": ""},
        "in",
        "holds b2, b3, of which none is called a1_convolution",
    ),
    "one assignment of nbgrader under two names": (
        {"in/submitted/a/a1_convolution/x.py": "", "in/submitted/b/A1_Convolution/x.py": ""},
        "in",
        "A1_Convolution and a1_convolution, which may be one assignment",
    ),
    "sections": (
        {"in/secA/ada/convolution.py": "", "in/secB/ada/convolution.py": ""},
        "in",
        "look like sections",
    ),
    "one name in two Unicode forms": (
        {"in/Jos\u00e9/convolution.py": "", "in/Jose\u0301/convolution.py": ""},
        "in",
        "in two Unicode forms",
    ),
    "an archive that leads out": (
        {"in.zip": packed({"../a_1_assignsubmission_file_x.py": ""})},
        "in.zip:moodle",
        "leads out",
    ),
    "no Canvas download": ({"in/ada/convolution.py": ""}, "in:canvas", "is no Canvas download"),
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_what_is_ambiguous_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    files, path, sentence = AMBIGUOUS[name]
    write(tmp_path, files)
    path, _, platform = path.partition(":")
    with pytest.raises(CollectError, match=sentence) as refused:
        found(tmp_path / path, platform=platform)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ("", "is empty"),
        ("colour,size\nred,1\n", "has no column such as id"),
        ("id,name\n", "names nobody"),
        ("id,name\n1,Ada\n1,Ben\n", "holds 1 in two rows"),
        ("name\nAda\nAda\n", "holds Ada twice"),
        ("id,name\n1,Zoe\n", "Nobody of the roster"),
        ("id,name,email\n1,Ada,x\n2,Ben,ada\n", "are Ada|Ada .* on the roster|is in .* and in"),
    ],
)
def test_a_roster_that_says_too_little_is_refused(tmp_path: Path, listed: str, sentence: str) -> None:
    write(tmp_path / "class", {"ada/convolution.py": WORK, "Ada/convolution.py": WORK, "ben/convolution.py": TORCH})
    with pytest.raises(CollectError, match=sentence):
        found(tmp_path / "class", roster=listed)


def test_everyone_who_stands_twice_on_a_roster_is_said_at_once(tmp_path: Path) -> None:
    write(tmp_path / "class", {"ada/convolution.py": WORK, "ben/convolution.py": WORK})
    with pytest.raises(CollectError) as refused:
        found(tmp_path / "class", roster="id,name\n1,Ada\n1,Ben\n2,Cem\n3,Dan\n3,Eve\n")
    assert [line.partition(" holds ")[2] for line in str(refused.value).splitlines()] == [
        "1 in two rows: leave one.",
        "3 in two rows: leave one.",
    ]


def test_one_student_in_two_downloads_is_refused(tmp_path: Path) -> None:
    for name in ("monday", "tuesday"):
        write(tmp_path / name, {"doe_11_22_convolution.py": WORK})
    with pytest.raises(CollectError, match=r"11 is in .* and in .*, and nothing says which counts"):
        found(tmp_path / "monday", tmp_path / "tuesday")


def test_a_platform_can_be_said(tmp_path: Path) -> None:
    files = {"class/convolution.py": "", "class/ada/convolution.py": WORK, "class/ben/convolution.py": WORK}
    write(tmp_path, files)
    assert [one.key for one in found(tmp_path / "class", platform="plain").students] == ["ada", "ben", "convolution"]
    assert [one.key for one in found(tmp_path / "class", platform="student").students] == ["class"]
    write(tmp_path, {"one/doe_11_22_convolution.py": WORK, "one/helper.py": ""})
    assert [one.key for one in found(tmp_path / "one", platform="student").students] == ["one"]


@given(st.lists(st.lists(st.sampled_from([*inboxes.PIECES, "/", "ada", "convolution"]), min_size=1, max_size=8)))
def test_no_file_of_an_archive_is_lost_whatever_it_is_called(pieces: list[list[str]]) -> None:
    names = {"".join(one).replace("\n", "") for one in pieces}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "class.zip"
        path.write_bytes(packed(dict.fromkeys(sorted(names), WORK)))
        with contextlib.suppress(CollectError):
            inboxes.look(found(path), [path], Path(folder) / "out")
