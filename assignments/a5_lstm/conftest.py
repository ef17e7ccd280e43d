# Generated from autograder/student/conftest.py by "python -m autograder build": change it there.
"""How pytest reports the visible tests: a line for each exercise, and beneath it what failed and how to run it alone.

Pytest's own report with its tracebacks comes with ``-v`` or any ``--tb``, as in ``python -m pytest --tb=long``. A
report for programs, ``--junitxml=FILE``, has exercise, criterion, points and what is said of a failure as properties.
"""

from __future__ import annotations

import re
import traceback
from typing import NamedTuple

import pytest
from checks import HERE, NOT_STARTED, Criterion, NotImported, explain


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Exercises in the order in which the student's files define them."""
    source = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(HERE.glob("*.py")))

    def place(item: pytest.Item) -> int:
        found = re.search(rf"^(def|class) {re.escape(_exercise(item))}\b", source, re.MULTILINE)
        return found.start() if found else len(source)

    items.sort(key=place)
    for item in items:
        criterion = _criterion(item)
        item.user_properties += [("exercise", _exercise(item)), ("criterion", criterion.name)]
        item.user_properties += [("points", f"{criterion.points:.12g}"), ("bonus", str(_is_bonus(item)))]


def pytest_exception_interact(node: pytest.Item | pytest.Collector, call: pytest.CallInfo[object]) -> None:
    if isinstance(node, pytest.Item) and call.excinfo is not None:
        node.user_properties.append(("said", explain(call.excinfo.value, _exercise(node))[0]))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    option = config.option
    if option.verbose > 0 or option.tbstyle != "auto" or option.collectonly:
        return
    option.verbose, option.tbstyle, option.reportchars, option.disable_warnings = -2, "no", "N", True
    config.pluginmanager.register(ExerciseReport())


class Failure(NamedTuple):
    """One failed test as it is shown: a sentence, the line it happened in, and what the student's code printed."""

    error: BaseException
    sentence: str
    line: str
    printed: str


class ExerciseReport:
    """Collects what happened to each test, and says it at the end."""

    def __init__(self) -> None:
        self.items: list[pytest.Item] = []
        self.passed: set[str] = set()
        self.failures: dict[str, Failure] = {}
        self.unreadable: dict[str, str] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = list(session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    def pytest_exception_interact(
        self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[object], report: pytest.TestReport
    ) -> None:
        assert call.excinfo is not None
        error = call.excinfo.value
        if not isinstance(node, pytest.Item):
            cause = error.__cause__ or error
            self.unreadable[node.nodeid] = f"{type(cause).__name__}: {cause}"
            return
        sentence, line = explain(error, _exercise(node))
        self.failures[node.nodeid] = Failure(error, sentence, line or _test_line(node, error), _printed(report))

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str]:
        return report.outcome if report.when == "call" or report.failed else "", "", ""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        exercises: dict[str, list[pytest.Item]] = {}
        for item in self.items:
            exercises.setdefault(_exercise(item), []).append(item)
        names = [name + _label(items) for name, items in exercises.items()]
        scores = [self._score(items) for items in exercises.values()]
        width, column = max(map(len, names), default=0), max(map(len, scores), default=0)
        for name, score, items in zip(names, scores, exercises.values(), strict=True):
            self._write_exercise(terminalreporter, f"{name:{width}}  {score:>{max(column, 5)}}", items)
        for nodeid, sentence in self.unreadable.items():
            terminalreporter.write_line(f"{nodeid} cannot be read: {sentence}", red=True)
        for sentence in sorted({str(f.error) for f in self.failures.values() if isinstance(f.error, NotImported)}):
            terminalreporter.write_line(f"Cannot be imported: {sentence}", red=True)
        total = f"Total: {self._total()} points in the visible tests. Grading uses other inputs."
        terminalreporter.write_line("")
        terminalreporter.write_line(total if self.items else "No test was selected.")

    def _write_exercise(self, terminal: pytest.TerminalReporter, line: str, items: list[pytest.Item]) -> None:
        failures = [self.failures[item.nodeid] for item in items if item.nodeid in self.failures]
        if all(item.nodeid in self.passed for item in items):
            terminal.write_line(f"{line}  passed", green=True)
        elif len(failures) == len(items) and all(f.sentence == NOT_STARTED for f in failures):
            terminal.write_line(f"{line}  {NOT_STARTED}")
        elif len(failures) == len(items) and all(isinstance(f.error, NotImported) for f in failures):
            terminal.write_line(f"{line}  cannot be imported", red=True)
        elif not failures and not any(item.nodeid in self.passed for item in items):
            terminal.write_line(f"{line}  not run")
        else:
            terminal.write_line(line, red=True)
            for item in items:
                if item.nodeid in self.failures:
                    _write_failure(terminal, item, self.failures[item.nodeid])

    def _score(self, items: list[pytest.Item]) -> str:
        return f"{self._won(items):.12g}/{_possible(items):.12g}"

    def _total(self) -> str:
        """Bonus points come on top of the maximum, and have none on their own."""
        expected = [item for item in self.items if not _is_bonus(item)]
        return f"{self._won(self.items):.12g}" + (f"/{_possible(expected):.12g}" if expected else "")

    def _won(self, items: list[pytest.Item]) -> float:
        return _possible([item for item in items if item.nodeid in self.passed])


def _write_failure(terminal: pytest.TerminalReporter, item: pytest.Item, failure: Failure) -> None:
    criterion = _criterion(item)
    points = f"{criterion.points:.12g} point{'' if criterion.points == 1 else 's'}"
    terminal.write_line(f"  {criterion.name} ({points}): {failure.sentence}")
    details = [failure.line, f"Hint: {criterion.hint}" if criterion.hint else "", f"Run it alone: {_command(item)}"]
    if failure.printed:
        details.append("It printed:\n" + failure.printed)
    for line in "\n".join(filter(None, details)).splitlines():
        terminal.write_line(f"      {line}")


def _exercise(item: pytest.Item) -> str:
    """The module-level ``name`` of a test file, which its stem repeats."""
    return str(getattr(getattr(item, "module", None), "name", item.path.stem))


def _label(items: list[pytest.Item]) -> str:
    if not _possible(items):
        return " (not graded)"
    return " (bonus)" if _is_bonus(items[0]) else ""


def _is_bonus(item: pytest.Item) -> bool:
    """Whether the test file says ``bonus = True``."""
    return bool(getattr(getattr(item, "module", None), "bonus", False))


def _possible(items: list[pytest.Item]) -> float:
    points: float = sum(_criterion(item).points for item in items)
    return points


def _criterion(item: pytest.Item) -> Criterion:
    """A test that someone added without a criterion is worth nothing, but is reported."""
    found: Criterion = getattr(getattr(item, "function", None), "criterion", Criterion(item.name, 0, ""))
    return found


def _command(item: pytest.Item) -> str:
    """What runs this test and no other, from the folder that pytest was started in."""
    keyword, path = _criterion(item).name, _path(item)
    tests = {name for name in dir(getattr(item, "module", None)) if name.startswith("test")}
    ambiguous = any(keyword.lower() in name.lower() for name in {item.path.name, *tests} - {item.name})
    return f"python -m pytest {path}::{item.name}" if ambiguous else f"python -m pytest {path} -k {keyword}"


def _test_line(item: pytest.Item, error: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(item.path)]
    return f"{_path(item)}:{frames[0].lineno}: {frames[0].line}" if frames else ""


def _path(item: pytest.Item) -> str:
    folder = item.config.invocation_params.dir
    return (item.path.relative_to(folder) if item.path.is_relative_to(folder) else item.path).as_posix()


def _printed(report: pytest.TestReport) -> str:
    """What the test printed; only the last lines of much."""
    lines = (report.capstdout + report.capstderr).splitlines()
    return "\n".join(f"  {line}" for line in (["..."] if len(lines) > 20 else []) + lines[-20:])
