"""Finds and reads assignments in a course folder. The engine knows none of them by name.

An assignment is a folder of ``solutions/``: its reference modules, ``assignment.toml``, and a package ``grading`` with
``cases``, ``drivers``, ``misconceptions``, ``alternatives``, ``equivalents``, ``promises`` and ``demo``. Its short name
is what stands before the first underscore: ``a1`` for ``a1_convolution``.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import os
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from autograder.course import Assignment, CourseError, Exercise, Misconception
from autograder.settings import SETTINGS, Settings, read_settings
from autograder.source import reached
from autograder.student.checks.forbidden import listed

T = TypeVar("T")

PUBLIC_SEED = "public"
NO_SEED = "{file} holds no seed: one line of UTF-8 text is wanted."
STRONG = 16  # characters of a term seed
VARIED = 9  # of its pairs of neighbors differ; of 16 random digits, all but one in 20 000 times, more do
NO_COURSE = "is it the course's root folder? Name it with --course DIR."
PROVIDED = "provided.py"
LONGEST_SEED = 4096  # bytes of a file that holds a seed; one that has no end is not read to it
HALVES = ("solutions", "assignments")
GRADING = ("cases", "drivers", "misconceptions", "alternatives", "equivalents", "promises", "demo")
LOADED = ("cases", "misconceptions", "alternatives", "equivalents", "promises")
DEFINES = {  # what is read from each; drivers.py is read as text
    "cases": ("PARTS", "EXERCISES"),
    "demo": ("CLASS",),
    **{module: (module.upper(),) for module in ("misconceptions", "alternatives", "equivalents", "promises")},
}
DECIDE_GRADES = ("cases", "drivers", "misconceptions")  # the other modules prove and show the cases


def course_root(given: str | Path | None = None) -> Path:
    """The root folder of the course, which holds assignments: the one that was named, else this repository.

    Raises:
        CourseError: none was named, and the package is installed elsewhere; or it holds none.
    """
    root = course_folder(given)
    if not find_assignments(root):
        raise CourseError(f"{root} holds no assignments: {NO_COURSE}")
    return root


def course_folder(given: str | Path | None = None) -> Path:
    """As :func:`course_root`, for whoever can begin with a folder that holds no assignment.

    Raises:
        CourseError: none was named, and the package is installed elsewhere.
    """
    if given is not None:
        return Path(given).resolve()
    root = Path(__file__).resolve().parents[1]
    if not (root / "solutions").is_dir():
        raise CourseError("Name the course's root folder with --course DIR: it holds solutions/ and assignments/.")
    return root


def find_assignments(root: Path) -> list[str]:
    """The full names of all assignments of the course at ``root``, a2 before a10."""
    folders = [
        path for path in (root / "solutions").glob("*") if (path / SETTINGS).is_file() or (path / "grading").is_dir()
    ]
    return sorted((path.name for path in folders), key=_natural)


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in re.split(r"(\d+)", name)]


def full_name(name: str, root: Path) -> str:
    """``a1``, ``a1_convolution`` or the path of that folder → ``a1_convolution``.

    Raises:
        CourseError: there is none, or several have this short name; or the path leads elsewhere than into the course.
    """
    known, place = find_assignments(root), Path(name)
    if len(place.parts) > 1 and place.resolve().parent not in {(root / half).resolve() for half in HALVES}:
        raise CourseError(f"{name} is no assignment of the course {root}: its name is enough, such as a1.")
    name = place.name or name
    if name in known:
        return name
    matches = [full for full in known if name == full.split("_")[0]]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise CourseError(f"{name!r} could be {' or '.join(matches)}: give the full name.")
    if not known:
        raise CourseError(f"{root} holds no assignments: {NO_COURSE}")
    raise CourseError(f"There is no assignment {name!r}; known: {', '.join(known)}.")


def missing_files(name: str, root: Path) -> list[str]:
    """A sentence for each file that an assignment needs and does not have."""
    folder = root / "solutions" / name
    needed = [SETTINGS, *(f"grading/{module}.py" for module in GRADING)]
    return [f"solutions/{name}/{file} is missing" for file in needed if not (folder / file).is_file()]


def load(name: str, root: Path) -> Assignment:
    """The assignment as the course at ``root`` defines it.

    Raises:
        CourseError: unknown name, a file that is missing or cannot be executed, or settings that hold a mistake. An
            exercise without points is dropped.
    """
    name = full_name(name, root)
    if missing := missing_files(name, root):
        raise CourseError(f"{missing[0]}: {root / 'solutions' / name} is not complete.")
    folder = root / "solutions" / name
    cases, wrong, right, same, promises = (grading_module(name, root, module) for module in LOADED)
    try:
        references = {part.name: (folder / f"{part.name}.py").read_text(encoding="utf-8") for part in cases.PARTS}
    except FileNotFoundError as error:
        raise CourseError(f"{error.filename} is missing: is {root} the course's root folder?") from None
    for module, source in references.items():
        try:
            ast.parse(source)
        except SyntaxError as error:
            raise CourseError(f"{folder / module}.py, line {error.lineno}: {error.msg}.") from None
    declared = {exercise.name: [criterion.name for criterion in exercise.criteria] for exercise in cases.EXERCISES}
    settings = read_settings(folder / SETTINGS, declared)
    if doubled := next(_doubled(cases.EXERCISES), ""):
        raise CourseError(f"{folder / 'grading' / 'cases.py'}: {doubled}.")
    provided = {path.name: path.read_text(encoding="utf-8") for path in folder.glob(PROVIDED)}
    return Assignment(
        name=name,
        title=settings.title,
        parts=cases.PARTS,
        exercises=[exercise for exercise in cases.EXERCISES if exercise.name in settings.points],
        points=settings.points,
        references=references,
        needs={
            name: sorted(declared.keys() & names)
            for text in references.values()
            for name, names in reached(text).items()
        },
        provided=provided,
        forbids={name: names for source in references.values() for name, names in listed(source).items()},
        drivers=(folder / "grading" / "drivers.py").read_text(encoding="utf-8"),
        misconceptions=wrong.MISCONCEPTIONS,
        alternatives=right.ALTERNATIVES,
        equivalents=same.EQUIVALENTS,
        trivial=getattr(same, "TRIVIAL", ()),
        promises=promises.PROMISES,
        unbroken=getattr(promises, "EQUIVALENTS", ()),
        dropped=[exercise for exercise in cases.EXERCISES if exercise.name not in settings.points],
        visibility=settings.visibility,
        digest=_digest(folder, settings, {**references, **provided}),
    )


def grading_module(name: str, root: Path, module: str) -> ModuleType:
    """One module of an assignment's package ``grading``, executed once for each course folder.

    Raises:
        CourseError: it cannot be executed, or lacks what is read from it; the message names it and says why.
    """
    folder = (root / "solutions" / name / "grading").resolve()
    package = f"grading_{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"
    if package not in sys.modules:
        parent = ModuleType(package)
        parent.__path__ = [str(folder)]
        sys.modules[package] = parent
    path = folder / f"{module}.py"
    try:
        loaded = importlib.import_module(f"{package}.{module}")
    except Exception as error:
        raise CourseError(f"{_where(path, error)} cannot be loaded: {type(error).__name__}: {error}.") from error
    if missing := [variable for variable in DEFINES.get(module, ()) if not hasattr(loaded, variable)]:
        raise CourseError(f"{path} defines no {missing[0]}.")
    return loaded


def _where(path: Path, error: Exception) -> str:
    """``path``, and its last line that the error has passed."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    if isinstance(error, SyntaxError) and error.filename == str(path):
        lines.append(error.lineno)
    return f"{path}, line {lines[-1]}," if lines and lines[-1] else str(path)


def _doubled(exercises: Sequence[Exercise]) -> Iterator[str]:
    """What stands twice in ``cases.py`` and may not: a name, or a question that a criterion has already."""
    for name in _repeated(exercise.name for exercise in exercises):
        yield f"EXERCISES holds {name} twice, where kept(…) and alone(…) stand around the one that is there"
    for exercise in exercises:
        for name in _repeated(criterion.name for criterion in exercise.criteria):
            yield f"{exercise.name} has two criteria {name}"
        for criterion in exercise.criteria:
            for title in _repeated(case.title for case in criterion.cases):
                yield f"{exercise.name}.{criterion.name} has two cases “{title}”"
    for case in _repeated(case for exercise in exercises for case in exercise.cases()):
        both = " and ".join(exercise.name for exercise in exercises if case in exercise.cases())
        yield f"{both} share the case “{case.title}”: give each one of its own"


def _repeated(items: Iterable[T]) -> list[T]:
    return [item for item, count in Counter(items).items() if count > 1]


def sentences(name: str, root: Path) -> dict[tuple[str, str], str]:
    """(exercise, misconception) → what a teacher says of it; none where the bank cannot be loaded."""
    try:
        wrong: Sequence[Misconception] = grading_module(full_name(name, root), root, "misconceptions").MISCONCEPTIONS
    except CourseError:
        return {}
    return {(one.exercise, one.name): one.sentence for one in wrong}


def _digest(folder: Path, settings: Settings, sources: dict[str, str]) -> str:
    graded = (settings.title, settings.points, settings.visibility)  # no grade depends on when it was handed in
    digest = hashlib.sha256(repr(graded).encode())
    for module in DECIDE_GRADES:
        digest.update((folder / "grading" / f"{module}.py").read_bytes())
    for name, source in sorted(sources.items()):
        digest.update(f"{name}\0{source}\0".encode())
    return digest.hexdigest()


@functools.cache
def stretched(seed: str) -> str:
    """What hidden inputs are derived from in the seed's place: a student who sees some of them, and tries words for the
    seed, needs as many of these slow hashes as words.
    """
    return hashlib.scrypt(seed.encode(), salt=b"term seed", n=1 << 14, r=8, p=1).hex()


def seed_doubt(seed: str) -> str:
    """A sentence on a seed that is known or could be guessed; empty for a good one."""
    if seed == PUBLIC_SEED:
        return "Hidden inputs come from the public seed; set AUTOGRADER_SEED before you grade for marks."
    if len(seed) < STRONG or _is_regular(seed):
        return f"The term seed could be guessed: use {STRONG} random characters or more."
    return ""


def _is_regular(seed: str) -> bool:
    """Whether it says little for its length: one character, a row of neighbors, or a word again and again."""
    pairs = set(pairwise(seed))
    return len(pairs) < VARIED or len({ord(second) - ord(first) for first, second in pairs}) < VARIED // 2


def term_seed(root: Path) -> str:
    """The seed that hidden inputs are made from.

    From ``AUTOGRADER_SEED``, else the ignored file ``.autograder-seed`` in the course root, else the public default.

    Raises:
        CourseError: what they hold is more than a line, or no text.
    """
    if seed := _one_line(os.environ.get("AUTOGRADER_SEED", ""), "AUTOGRADER_SEED"):
        return seed
    try:
        return read_seed(root / ".autograder-seed") or PUBLIC_SEED
    except FileNotFoundError:
        return PUBLIC_SEED


def read_seed(file: Path) -> str:
    """The line that ``file`` holds, without the spaces around it; empty where there is none.

    Raises:
        CourseError: it holds more than a line, or no text.
        OSError: it cannot be read.
    """
    with file.open("rb") as opened:
        held = opened.read(LONGEST_SEED + 1)
    if len(held) > LONGEST_SEED:
        raise CourseError(f"{file} holds more than {LONGEST_SEED} bytes: a seed is one line, with nothing beside it.")
    try:
        text = held.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # no text, or one in UTF-16, which may pass for UTF-8
        raise CourseError(NO_SEED.format(file=file))
    return _one_line(text, str(file))


def _one_line(text: str, where: str) -> str:
    seed = text.strip()
    if len(seed.splitlines()) > 1:
        raise CourseError(f"{where} holds several lines: a seed is one line, with nothing beside it.")
    return seed
