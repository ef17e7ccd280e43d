"""Which of a student's files are which parts, and which of several candidates is graded."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from autograder import submission
from autograder.loading import load as load_assignment
from autograder.submission import Submission, notebook, read
from autograder.submission.choice import written
from tests.submission.hand_ins import (
    CONV2D,
    CONVOLVE,
    GRADED,
    cells,
    make_folder,
    make_zip,
    read_notebook,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("wrap", ["", "hw1/", "export/hw1/"])
@pytest.mark.parametrize("kind", ["zip", "folder", "zip in folder"])
def test_parts_travel_with_their_helpers(tmp_path: Path, wrap: str, kind: str) -> None:
    members = {
        "convolution.py": "from .pkg import y\n" + CONVOLVE,
        "convolution_torch.py": CONV2D,
        "helper.py": "x = 1\n",
        "pkg/__init__.py": "",
        "pkg/deep/mod.py": "y = 2\n",
        "data.csv": "1,2",
    }
    wrapped = {wrap + name: text for name, text in members.items()}
    if kind == "folder":
        path = make_folder(tmp_path / "alice", wrapped)
    else:
        path = make_zip(make_folder(tmp_path / "alice", {}) / "work.zip", wrapped)
        path = path.parent if "folder" in kind else path
    got = read("alice", path, GRADED)
    expected = {name: text for name, text in members.items() if name.endswith(".py")}
    assert got.student == "alice"
    assert got.parts == {"convolution": expected, "convolution_torch": expected}
    assert got.notes == (f"{wrap}pkg/__init__.py is empty.",)


@pytest.mark.parametrize(
    "name",
    ["Convolution.py", "CONVOLUTION.PY", "convolution (1).py", "convolution(12).py", "convolution-2.py",
     "convolution_3.py", "convolution - Copy.py", "Copy of convolution.py", "convolution copy 2.py"],
)  # fmt: skip
def test_renamed_files_are_recognised(tmp_path: Path, name: str) -> None:
    got = read("s", make_folder(tmp_path / "s", {name: CONVOLVE}), GRADED)
    assert got.parts["convolution"]["convolution.py"] == CONVOLVE
    assert got.notes == (f"convolution was graded from {Path(name).with_suffix('.py')}.",)
    assert sum(path.lower() == "convolution.py" for path in got.parts["convolution"]) == 1


def test_hyphens_stand_for_underscores(tmp_path: Path) -> None:
    assert set(read("s", make_folder(tmp_path / "s", {"convolution-torch (1).py": CONV2D}), GRADED).parts) == {
        "convolution_torch"
    }


def test_a_part_may_end_in_a_number(tmp_path: Path) -> None:
    graded = {"lenet_5": ["train"], "lenet": ["fit"]}
    folder = make_folder(tmp_path / "s", {"lenet_5.py": "x = 1", "lenet (5).py": "x = 2"})
    assert {part: files[f"{part}.py"] for part, files in read("s", folder, graded).parts.items()} == {
        "lenet_5": "x = 1",
        "lenet": "x = 2",
    }


def test_a_name_says_more_than_the_contents(tmp_path: Path) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": CONV2D}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": CONV2D}})


def test_the_shallower_wins_then_the_number_then_the_exact_name(tmp_path: Path) -> None:
    members = {
        "a/convolution.py": CONVOLVE + "# deep",
        "convolution (1).py": CONVOLVE + "# renamed",
        "b/c/convolution.py": CONVOLVE + "# deeper",
        "copy/convolution.py": CONVOLVE,
        "copy/convolution - Copy.py": CONVOLVE,
    }
    graded = []
    while members:
        shutil.rmtree(tmp_path / "s", ignore_errors=True)
        got = read("s", make_folder(tmp_path / "s", members), GRADED)
        best = re.match(r"convolution was graded from (.*?\.py)", f"{got.notes} convolution was graded from x.py"[2:])
        graded.append(best[1] if best and best[1] in members else next(iter(members)))
        assert got.parts["convolution"]["convolution.py"] == members.pop(graded[-1])
    assert graded[0] == "convolution (1).py"
    assert graded[-1] == "b/c/convolution.py"
    assert graded.index("copy/convolution.py") < graded.index("copy/convolution - Copy.py")


def test_the_newer_of_two_files_is_graded(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "s", {"convolution.py": CONVOLVE, "old/convolution.py": CONVOLVE + "# new"})
    os.utime(folder / "convolution.py", (1e9, 1e9))
    got = read("s", folder, GRADED)
    assert got.parts["convolution"]["convolution.py"].endswith("# new")
    assert got.notes == ("convolution was graded from old/convolution.py, and not from convolution.py (older).",)
    assert [one.kind for one in got.attention] == ["chosen"]


@pytest.mark.parametrize("stub", sorted(ROOT.glob("assignments/*/*.py")), ids=str)
def test_a_stub_is_known_as_one_and_its_solution_is_not(stub: Path) -> None:
    solution = ROOT / "solutions" / stub.parent.name / stub.name
    if solution.is_file():
        names = load_assignment(stub.parent.name, ROOT).graded_names().get(stub.stem, ())
        assert written(stub.read_text(encoding="utf-8"), names) == set()
        assert written(solution.read_text(encoding="utf-8"), names) == set(names)


def test_a_file_of_any_name_is_recognised_by_what_it_defines(tmp_path: Path) -> None:
    members = {
        "alice.py": CONVOLVE + "pad2d = lambda x: x\nclass Other:\n    def Conv2d(self): ...\n",
        "more.py": CONVOLVE,
        "net.py": "from alice import convolve\n" + CONV2D + CONVOLVE + "def conv2d_unfold(): ...\n",
    }
    got = read("s", make_zip(tmp_path / "s.zip", members), GRADED)
    assert got.parts["convolution"]["convolution.py"] == members["alice.py"]
    assert got.parts["convolution_torch"]["convolution_torch.py"] == members["net.py"]
    assert got.parts["convolution_torch"]["alice.py"] == members["alice.py"]
    assert "convolution was graded from alice.py, and not from more.py." in got.notes


def test_a_single_file_is_recognised_by_what_it_defines(tmp_path: Path) -> None:
    path = make_folder(tmp_path, {"bob.py": "def f(:\n" + CONV2D}) / "bob.py"
    got = read("bob", path, GRADED)
    assert got.parts["convolution_torch"]["convolution_torch.py"].endswith(CONV2D)
    assert set(got.parts) == {"convolution_torch"}


def test_syntax_errors_in_a_module_are_handed_on(tmp_path: Path) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": "def convolve(:\n"}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": "def convolve(:\n"}})


def test_helpers_that_cannot_be_imported_are_named(tmp_path: Path) -> None:
    members = {"a/convolution.py": CONVOLVE, "a/my helper.py": "", "outside.py": "", f"a/{'n' * 101}.py": "x = 1"}
    members |= {f"a/{'d/' * 10}deep.py": "x = 1"}
    got = read("s", make_folder(tmp_path / "s", members), GRADED)
    assert set(got.parts["convolution"]) == {"convolution.py"}
    assert "a/my helper.py" in got.notes[-1]
    assert "outside.py" in got.notes[-1]
    assert "n" * 101 in got.notes[-1]
    assert "deep.py" in got.notes[-1]


def test_nothing_to_grade_is_said(tmp_path: Path) -> None:
    zips = [make_zip(tmp_path / "z.zip", {"x.py": "y = 1"}), make_zip(tmp_path / "none.zip", {})]
    for path in [make_folder(tmp_path / "empty", {"a.txt": ""}), *zips]:
        got = read("s", path, GRADED)
        assert got.parts == {}
        assert got.notes == (
            f"{path.name} holds nothing to grade: expected convolution.py, convolution_torch.py or a notebook with "
            "their contents.",
        )


def test_no_graded_names_is_no_crash(tmp_path: Path) -> None:
    assert read("s", make_folder(tmp_path / "s", {"x.py": "y = 1", "n.ipynb": cells("z = 1")}), {}).parts == {}


# notebooks and modules together


def test_a_module_beats_a_notebook_that_holds_no_more_and_says_so(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, CONVOLVE, CONV2D, beside={"convolution.py": "convolve = 1\n"})
    assert got.parts["convolution"]["convolution.py"] == "convolve = 1\n"
    assert got.parts["convolution_torch"]["convolution_torch.py"] == CONV2D
    assert got.notes[0] == "convolution was graded from convolution.py, and not from lab.ipynb."


def test_a_notebook_beats_a_module_that_holds_less(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, CONVOLVE + "pad2d = 1", beside={"convolution.py": "convolve = 1\n"})
    assert got.notes == ("convolution was graded from lab.ipynb, and not from convolution.py.",)
    stub = {"convolution.py": "def convolve(x, h):\n    'A promise.'\n    raise NotImplementedError\n"}
    got = read_notebook(tmp_path / "stub", CONVOLVE, beside=stub)
    assert got.notes == ("convolution was graded from lab.ipynb, and not from convolution.py (as it was handed out).",)
    assert got.attention == ()


def test_an_empty_module_does_not_beat_a_notebook(tmp_path: Path) -> None:
    got = read_notebook(tmp_path, CONVOLVE, beside={"convolution.py": "\n"})
    assert got.parts["convolution"]["convolution.py"] == CONVOLVE
    assert got.notes[0] == "convolution.py is empty."


def test_an_empty_module_alone_is_handed_on(tmp_path: Path) -> None:
    got = read("s", make_folder(tmp_path / "s", {"convolution.py": ""}), GRADED)
    assert got == Submission("s", {"convolution": {"convolution.py": ""}}, ("convolution.py is empty.",))


def test_a_helper_that_holds_less_than_the_notebook_stays_a_helper(tmp_path: Path) -> None:
    mine = {"mine.py": CONVOLVE}
    sources = ["from mine import convolve", "def pad2d(): ...", "def correlate2d(): return convolve"]
    got = read_notebook(tmp_path, *sources, beside=mine)
    module = got.parts["convolution"]["convolution.py"]
    assert module == "\n\n".join(sources) + "\n"
    assert got.parts["convolution"]["mine.py"] == CONVOLVE


def test_the_unchanged_lab_of_the_course_is_not_graded(tmp_path: Path) -> None:
    lab = ["%load_ext autoreload\n%autoreload 2", "from convolution import *\nimport convolution", "convolve([1], [2])"]
    lab.append("from convolution import convolve, pad2d\nimport convolution as student")
    got = read_notebook(tmp_path, *lab, beside={"convolution.py": CONVOLVE})
    assert got == Submission("s", {"convolution": {"convolution.py": CONVOLVE}})


def test_the_better_of_two_notebooks_is_taken(tmp_path: Path) -> None:
    folder = make_folder(
        tmp_path / "s", {"a.ipynb": cells(CONVOLVE), "b.ipynb": cells(CONVOLVE, "def pad2d(): ..."), "c.ipynb": cells()}
    )
    assert "pad2d" in read("s", folder, GRADED).parts["convolution"]["convolution.py"]


def test_the_public_names_are_few() -> None:
    assert submission.__all__ == ["Submission", "SubmissionPathError", "newest_file", "part_of", "read"]
    assert notebook.top_level_names("x: int = 1\ny == 2\n  z = 3\nasync def f(): ...") == {"x", "f"}
