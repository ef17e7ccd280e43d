"""Releases: what a bundle holds, that it runs, that nothing leaves with a leak, and what platforms are given."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder import visible
from autograder.build import HELPERS, BuildError
from autograder.cli import main
from autograder.course import Assignment
from autograder.loading import PUBLIC_SEED, load
from autograder.release import bundle, command
from autograder.release.classroom50 import classroom50_bundle
from autograder.submission import read

ROOT = Path(__file__).parents[1]
SEED = "9f86d081884c7d659a2f"
WORKFLOWS = [*ROOT.glob(".github/workflows/*.yml"), bundle.TEMPLATES / "checks.yml"]


@pytest.fixture(autouse=True)
def no_references_are_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.release.confidential._numbers", lambda *_: [])
    monkeypatch.setenv("AUTOGRADER_SEED", SEED)


@pytest.fixture(scope="module")
def a1() -> Assignment:
    return load("a1", ROOT)


@pytest.fixture(scope="module")
def handed_out(a1: Assignment) -> dict[str, bytes]:
    return bundle.student_bundle(a1, ROOT)


def released(out: Path, *arguments: str) -> int:
    return main(["release", "a1", "-o", str(out), "--for", "students", *arguments])


def test_a_bundle_holds_what_the_assignment_names(a1: Assignment, handed_out: dict[str, bytes]) -> None:
    tests = {f"tests/{exercise.name}.py" for exercise in a1.every_exercise}
    figures = {name for name in handed_out if name.startswith("figures/")}
    parts = {f"{part.name}.py" for part in a1.parts}
    assert handed_out.keys() == {
        *tests, *figures, *parts, *HELPERS, visible.MISTAKES, *bundle.PLACES.values(), *bundle.LICENCES,
        "README.md", "README.zh.md", "lab.ipynb",
        "data/photographs.npz", "requirements.txt", "requirements-lab.txt", "constraints.txt", "environment.yml",
        ".gitignore", ".gitattributes",
    }  # fmt: skip
    assert len(figures) == 8
    assert all(name in handed_out["README.md"].decode() for name in figures)
    folder = ROOT / "assignments" / a1.name
    unchanged = {*tests, *figures, *parts, *HELPERS, visible.MISTAKES, "lab.ipynb"}
    assert all(handed_out[name] == (folder / name).read_bytes() for name in unchanged)


def test_what_lies_about_does_not_come_along(a1: Assignment, handed_out: dict[str, bytes], tmp_path: Path) -> None:
    for name in ("assignments", "solutions", "data"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*bundle.LICENCES, "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    folder = tmp_path / "assignments" / a1.name
    for name in ("notes.txt", "tests/answers.py", "figures/answer.png", ".env", ".ipynb_checkpoints/lab.ipynb"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("answers", encoding="utf-8")
    (folder / "convolution.py").write_text("def convolve(x, h): ...", encoding="utf-8")
    assert bundle.student_bundle(load("a1", tmp_path), tmp_path) == handed_out
    (tmp_path / bundle.POLICY).write_text("Ask a fellow student first.\n")
    assert bundle.student_bundle(load("a1", tmp_path), tmp_path).keys() - handed_out.keys() == {bundle.POLICY}
    (folder / "figures" / "padding.png").unlink()
    with pytest.raises(BuildError, match=r"figures/padding\.png is missing\."):
        bundle.student_bundle(load("a1", tmp_path), tmp_path)
    mistakes = folder / visible.MISTAKES
    mistakes.write_bytes(mistakes.read_bytes().replace(b"Both indices", b"The indices"))
    with pytest.raises(
        BuildError, match=r"mistakes\.json is not as it would be made now: python -m autograder build\."
    ):
        bundle.student_bundle(load("a1", tmp_path), tmp_path)


def test_without_jupytext_the_lab_is_taken_as_it_stands(
    a1: Assignment, handed_out: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "lab_is_remade", lambda: False)
    monkeypatch.setitem(sys.modules, "jupytext", None)
    assert bundle.student_bundle(a1, ROOT) == handed_out


@pytest.mark.parametrize(("whom", "told"), [("students", True), ("gradescope", False), ("classroom50", False)])
def test_of_labs_it_speaks_where_there_is_one(
    tmp_path: Path, whom: str, told: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "lab_is_remade", lambda: False)
    assert main(["release", "a1", "-o", str(tmp_path), "--for", whom]) == 0
    assert ("Labs are taken as they stand" in capsys.readouterr().out) is told


def test_every_version_is_the_pinned_one(handed_out: dict[str, bytes]) -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    core, lab = (handed_out[name].decode().splitlines() for name in ("requirements.txt", "requirements-lab.txt"))
    asked_for = [line.split("==")[0] for line in core]
    assert asked_for == ["-c constraints.txt", "jaxtyping", "numpy", "pytest", "torch", "watchfiles"]
    assert lab[0] == "-r requirements.txt"
    assert {*core[1:], *lab[1:]} <= set(pins)
    imported = set(re.findall(r"^(?:import|from) (\w+)", json_sources(handed_out["lab.ipynb"]), re.MULTILINE))
    asked = {line.split("==")[0] for line in (*core[1:], *lab[1:])}
    ours = {"convolution", "convolution_torch", "labkit"}
    assert imported - ours - {"otter", "IPython"} - sys.stdlib_module_names <= asked
    environment = yaml.safe_load(handed_out["environment.yml"])
    assert environment["dependencies"][-1] == {"pip": ["-r requirements-lab.txt"]}


def json_sources(book: bytes) -> str:
    return "\n".join("".join(cell["source"]) for cell in json.loads(book)["cells"])


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_start_names_two_commands_below_the_title(handed_out: dict[str, bytes], name: str) -> None:
    text = handed_out[name].decode()
    assert re.findall(r"^> \$ (.+)$", text, re.MULTILINE) == [
        "python -m pip install -r requirements.txt",
        "python -m checks",
    ]
    assert ("**从这里开始**" if "zh" in name else "**Start here**") in "".join(text.splitlines()[1:4])
    original = (ROOT / "assignments" / "a1_convolution" / name).read_text(encoding="utf-8")
    assert "\n".join(line for line in text.splitlines() if not line.startswith(">")).split() == original.split()


def test_the_start_says_the_same_in_both_languages(a1: Assignment, handed_out: dict[str, bytes]) -> None:
    for files in (handed_out, bundle.solution_bundle(a1, ROOT)):
        starts = [re.findall(r"^>.*$", files[name].decode(), re.MULTILINE) for name in ("README.md", "README.zh.md")]
        english, chinese = (sorted(re.findall(r"(?<!`)`([^`\n]+)`(?!`)", "\n".join(start))) for start in starts)
        assert english == chinese != []


@pytest.mark.parametrize("name", ["a1", "a2", "a3", "a4", "a5", "a6"])
def test_a_handout_speaks_of_what_a_student_has(name: str) -> None:
    """Every file that it names as installed or read is in the folder, and no version is left open."""
    files = bundle.student_bundle(load(name, ROOT), ROOT)
    for handout in (file for file in files if file.startswith("README")):
        text = files[handout].decode()
        assert {path for path in re.findall(r"(?:-r |`)((?:data/)?[\w-]+\.(?:txt|npz))", text)} <= files.keys()
        for line in re.findall(r"pip install (.*)", text):
            assert line.startswith("-r "), line


@pytest.mark.slow
def test_every_assignment_can_be_released(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No line that students have, such as one of checks/, is a line of another assignment's solution or cases."""
    assert main(["release", "-o", str(tmp_path), "--for", "students"]) == 0, capsys.readouterr().err
    assert len([*tmp_path.glob("*.zip")]) == 6


def test_a_handout_that_is_no_text_is_said(a1: Assignment, tmp_path: Path) -> None:
    for name in ("assignments", "solutions", "data"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*bundle.LICENCES, "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    with (tmp_path / "assignments" / a1.name / "README.md").open("ab") as handout:
        handout.write(b"\xff\xfe")
    with pytest.raises(BuildError, match=r"README\.md is no text in UTF-8\."):
        bundle.student_bundle(load("a1", tmp_path), tmp_path)


@pytest.mark.parametrize("name", ["a1", "a2", "a3", "a4", "a5", "a6"])
def test_the_whole_folder_can_be_handed_in(name: str, tmp_path: Path) -> None:
    assignment = load(name, ROOT)
    bundle.write_folder(tmp_path / "ada", bundle.student_bundle(assignment, ROOT))
    submission = read("ada", tmp_path / "ada", assignment.graded_names())
    assert submission.parts.keys() == {part.name for part in assignment.parts}


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)


def test_the_table_of_a_push(a1: Assignment, handed_out: dict[str, bytes], tmp_path: Path) -> None:
    bundle.write_folder(tmp_path, handed_out)
    source = a1.references["convolution"].replace("def output_size(", "def output_size_(")
    (tmp_path / "convolution.py").write_text(source, encoding="utf-8")
    names = ("convolve", "output_size", "conv2d_unfold")
    run(tmp_path, "-m", "pytest", "--junitxml=report.xml", *(f"tests/{name}.py" for name in names))
    table = run(tmp_path, ".ci/summary.py", "report.xml").stdout
    assert "| `convolve` | 4 | 4 | passed |" in table
    assert re.search(r"\| `output_size` \| 0 \| \d+ \| `\w+`: `convolution\.py defines no output_size\.` \|", table)
    assert re.search(r"\| `conv2d_unfold` \| 0 \| \d+ \| not started \|", table)
    assert re.search(r"\*\*4 of \d+\*\* points", table)
    (tmp_path / "report.xml").write_text("<testsuites><testsuite>", encoding="utf-8")
    cut = run(tmp_path, ".ci/summary.py", "report.xml")
    assert (cut.returncode, cut.stdout.startswith("The visible tests did not run to their end")) == (0, True)


def test_folder_and_archive_hold_the_same_and_a_second_release_the_same_bytes(tmp_path: Path) -> None:
    for out in (tmp_path / "one", tmp_path / "two"):
        assert released(out) == 0
    assert released(tmp_path / "one") == 0
    archives = [(tmp_path / name / "a1_convolution.zip").read_bytes() for name in ("one", "two")]
    assert archives[0] == archives[1]
    with zipfile.ZipFile(tmp_path / "one" / "a1_convolution.zip") as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    folder = tmp_path / "one" / "a1_convolution"
    found = {
        f"{folder.name}/{p.relative_to(folder).as_posix()}": p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }
    assert found == packed


def test_solutions_are_solved_and_keep_what_stays_hidden(a1: Assignment, tmp_path: Path) -> None:
    assert main(["release", "a1", "-o", str(tmp_path), "--solutions"]) == 0
    folder = tmp_path / "a1_convolution-solution"
    for module, source in a1.references.items():
        assert (folder / f"{module}.py").read_text(encoding="utf-8").endswith(source)
    assert not (folder / ".github").exists()
    assert run(folder, "-m", "pytest", "tests/convolve.py").returncode == 0


def test_solutions_with_a_mistake_in_them_are_not_released(
    a1: Assignment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solved = bundle.solution_bundle(a1, ROOT)
    told = visible.told(solved[visible.MISTAKES])
    sentence = next(one.sentence for one in a1.misconceptions if one.sentence not in told)
    leaking = {**solved, "README.md": solved["README.md"] + sentence.encode()}
    monkeypatch.setattr(command, "solution_bundle", lambda *_: leaking)
    assert main(["release", "a1", "-o", str(tmp_path), "--solutions"]) == 1
    line = len(leaking["README.md"].splitlines())
    assert f"README.md:{line} holds what is said of a known mistake: “{sentence[:20]}" in capsys.readouterr().err


def test_nothing_is_written_where_something_leaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], handed_out: dict[str, bytes]
) -> None:
    leaking = {**handed_out, "README.md": f"The seed is {SEED}.".encode()}
    monkeypatch.setattr(command, "student_bundle", lambda *_: leaking)
    assert released(tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert said == (
        "README.md:1 holds the term seed.\na1_convolution is not released: students would read what they may not.\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_folder_keeps_its_repository_and_nothing_else_may_lie_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert released(tmp_path) == 0
    folder = tmp_path / "a1_convolution"
    subprocess.run(["git", "-C", str(folder), "init", "-q"], check=True)
    assert released(tmp_path) == 0
    (folder / ".git" / "description").write_text(f"graded with {SEED}", encoding="utf-8")
    assert released(tmp_path) == 1
    assert ".git/description:1 holds the term seed." in capsys.readouterr().err
    shutil.rmtree(folder / ".git")
    for name in ("answers.txt", "tests/convolve_old.py"):
        (folder / name).touch()
    (folder / "notes").symlink_to(tmp_path)
    assert released(tmp_path, "--force") == 2
    assert capsys.readouterr().err == (
        f"{folder} holds what is no part of the release: move it away, and release again.\n"
        "  answers.txt\n  notes\n  tests/convolve_old.py\n"
    )


def test_what_a_person_changed_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert released(tmp_path) == 0
    folder, archive = tmp_path / "a1_convolution", tmp_path / "a1_convolution.zip"
    (folder / "README.md").write_text("The deadline is on Monday.", encoding="utf-8")
    (folder / "convolution.py").write_text("# Begin with convolve.", encoding="utf-8")
    packed = archive.read_bytes()
    assert released(tmp_path) == 2
    said = (
        f"{folder} holds files that are not as the last release wrote them: keep your changes elsewhere, "
        "or replace the files with --force.\n  README.md\n  convolution.py\n"
    )
    assert capsys.readouterr().err == said
    assert (folder / "README.md").read_text(encoding="utf-8") == "The deadline is on Monday."
    assert archive.read_bytes() == packed
    archive.unlink()
    assert released(tmp_path) == 2
    assert capsys.readouterr().err == said
    assert released(tmp_path, "--force") == 0
    assert (folder / "convolution.py").read_bytes() in archive.read_bytes()
    assert archive.read_bytes() == packed


def test_what_the_course_changed_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handed_out: dict[str, bytes]
) -> None:
    monkeypatch.setattr(command, "student_bundle", lambda *_: {**handed_out, "README.md": b"# Last term\n"})
    assert released(tmp_path) == 0
    monkeypatch.undo()
    monkeypatch.setattr("autograder.release.confidential._numbers", lambda *_: [])
    assert released(tmp_path) == 0
    assert (tmp_path / "a1_convolution" / "README.md").read_bytes() == handed_out["README.md"]


def test_packages_for_staff_lie_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", "a1/", "-o", str(tmp_path)]) == 0
    read = {"a1_convolution", "a1_convolution.zip", "a1_convolution-classroom50", "a1_convolution-classroom50.zip"}
    assert {path.name for path in tmp_path.iterdir()} == {*read, "staff"}
    staff = tmp_path / "staff"
    assert {path.name for path in staff.iterdir()} == {"gradescope-a1_convolution.zip", "otter-a1_convolution.zip"}
    assert staff.stat().st_mode & 0o077 == 0
    assert f"{staff / 'otter-a1_convolution.zip'}: for staff alone" in capsys.readouterr().out


ADVICE = (
    ", 16 random characters or more: --seed-from FILE, AUTOGRADER_SEED or .autograder-seed. This prints one: python -c "
    '"import secrets; print(secrets.token_hex(16))"\n'
)


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("seed", [PUBLIC_SEED, "s3cret", "passwordpassword", "0123456789abcdef"])
def test_a_platform_is_refused_a_seed_that_can_be_guessed(
    seed: str, everything: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where all is released and nobody has set a seed, the rest is written."""
    monkeypatch.setenv("AUTOGRADER_SEED", seed)
    code = main(["release", "a1", "-o", str(tmp_path / "out"), *([] if everything else ["--for", "otter"])])
    names = "gradescope or otter" if everything else "otter"
    needed = "of your own" if seed == PUBLIC_SEED else "that cannot be guessed"
    said = capsys.readouterr()
    assert f"A package for {names} needs a term seed {needed}{ADVICE}" in (said.out if code == 0 else said.err)
    assert code == (0 if everything and seed == PUBLIC_SEED else 2)
    assert (tmp_path / "out").exists() is (code == 0)
    assert not (tmp_path / "out" / "staff").exists()


NO_SEED = "holds no seed: one line of UTF-8 text is wanted."


@pytest.mark.parametrize(
    "content",
    [b"", b" \n", b"\xff\xfe", SEED.encode("utf-16-le"), b"\x7fELF\0"],
    ids=["empty", "blank", "bytes", "UTF-16 without a mark", "a program"],
)
def test_a_file_without_a_seed_is_said(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "seed").write_bytes(content)
    assert released(tmp_path / "out", "--seed-from", str(tmp_path / "seed")) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'seed'} {NO_SEED}\n"


@pytest.mark.parametrize(
    ("given", "code", "sentence"),
    [
        ("gone", 2, "{file} is not there: --seed-from names the file that holds the term seed."),
        ("file/seed", 2, "{file} is not there: --seed-from names the file that holds the term seed."),
        ("folder", 2, "{file} is a folder: --seed-from names the file that holds the term seed."),
        ("long", 2, "{file} holds more than 4096 bytes: a seed is one line, with nothing beside it."),
        ("/dev/null", 2, f"{{file}} {NO_SEED}"),
        ("circle", 1, "{file}: Too many levels of symbolic links."),
        ("x" * 300, 1, "{file}: File name too long."),
        ("closed", 1, "{file}: Permission denied."),
    ],
    ids=lambda value: str(value)[:10],
)
def test_a_seed_file_that_is_none_is_named_in_one_sentence(
    tmp_path: Path,
    given: str,
    code: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "long").write_text(SEED * 300, encoding="utf-8")
    (tmp_path / "circle").symlink_to("circle")
    file, opened = tmp_path / given, Path.open

    def closed(path: Path, *arguments: Any, **options: Any) -> Any:  # since root may read everything
        if path.name == "closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", closed)
    assert released(tmp_path / "out", "--seed-from", str(file)) == code
    assert capsys.readouterr().err == f"{sentence.format(file=file)}\n"
    assert not (tmp_path / "out").exists()


def test_a_seed_file_of_several_lines_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "seed"
    file.write_text(f"{SEED}\nused in spring\n", encoding="utf-8")
    assert released(tmp_path / "out", "--seed-from", str(file)) == 2
    assert capsys.readouterr().err == f"{file} holds several lines: a seed is one line, with nothing beside it.\n"
    assert not (tmp_path / "out").exists()


def test_classroom50_takes_the_students_modules_alone(
    a1: Assignment, handed_out: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, student = tmp_path / "runner", tmp_path / "student"
    bundle.write_folder(runner, classroom50_bundle(a1, handed_out))
    bundle.write_folder(student, handed_out)
    kept = {"convolve.py", "output_size.py"}
    for test in (runner / "visible" / "tests").iterdir():
        if test.name not in kept:
            test.unlink()
    (student / "convolution.py").write_text(f"{a1.references['convolution']}\nimport mine\n", encoding="utf-8")
    (student / "mine.py").touch()
    (student / "conftest.py").write_text("raise SystemExit('no tests today')", encoding="utf-8")
    (student / "tests" / "convolve.py").write_text("", encoding="utf-8")
    subprocess.run(["git", "-C", str(student), "init", "-q"], check=True)
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    date = {"GIT_COMMITTER_DATE": "2027-03-01T10:00:00+01:00"}
    for arguments in (["add", "-A"], [*who, "commit", "-qm", "done"]):
        subprocess.run(["git", "-C", str(student), *arguments], check=True, env={**date, "PATH": "/usr/bin:/bin"})
    given = {
        "CLASSROOM": "dl", "ASSIGNMENT": "a1", "SUBMISSION_TAG": "submit/x", "OWNER": "ada",
        "COMMIT_URL": "https://example.org/c", "RELEASE_URL": "https://example.org/r", "PATH": "/usr/bin:/bin",
    }  # fmt: skip
    code = "import autograder, subprocess as s\nreal = s.run\n" + (
        "s.run = lambda c, **k: None if 'pip' in c else real(c, **k)\nraise SystemExit(autograder.main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(runner)!r})\n{code}"],
        cwd=student, env=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((student / "result.json").read_text(encoding="utf-8"))
    tests = {row["test-name"]: row for row in found["tests"]}
    assert tests["convolve"] == {"test-name": "convolve", "passed": True, "score": 4, "max-score": 4}
    assert found["schema"] == "classroom50/result/v1"
    assert found["datetime"] == "2027-03-01T09:00:00Z"
    assert found["score"] == sum(row["score"] for row in found["tests"]) == found["max-score"]
    assert all(type(found[key]) is int for key in ("score", "max-score"))
    assert found.keys() >= {"classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release"}
    assert "| `convolve` | 4 | 4 | passed |" in (student / "release-body.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_only_has_limits_and_puts_no_input_into_a_script(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 180
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            assert ("run" in step) != ("uses" in step)
            assert re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "actions/checkout@v6"))


def test_secrets_are_in_no_workflow_of_a_student() -> None:
    text = "".join((bundle.TEMPLATES / name).read_text(encoding="utf-8") for name in bundle.PLACES)
    assert "secrets" not in text


def test_gitlab_and_github_run_the_same() -> None:
    github = yaml.safe_load((bundle.TEMPLATES / "checks.yml").read_text(encoding="utf-8"))
    gitlab = yaml.safe_load((bundle.TEMPLATES / "gitlab-ci.yml").read_text(encoding="utf-8"))["visible-tests"]
    runs = [step["run"] for step in github["jobs"]["visible-tests"]["steps"] if "run" in step]
    assert [*gitlab["script"], *gitlab["after_script"]] == [line.split(" >> ")[0] for line in runs]


@pytest.mark.parametrize("inside", ["assignments", "assignments/a1_convolution", "solutions/new"])
def test_nothing_is_written_over_the_course_itself(inside: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", "a1", "-o", str(ROOT / inside), "--for", "students"]) == 2
    assert capsys.readouterr().err.endswith(f"{inside} is part of the course itself: give another folder.\n")
