# Generated from autograder/student/conftest.py by "python -m autograder build": change it there.
"""How pytest reports the visible tests: a line for each exercise, and beneath it what failed and how to run it alone.

Pytest's own report with its tracebacks comes with ``-v`` or any ``--tb``, as in ``python -m pytest --tb=long``. A
report for programs, ``--junitxml=FILE``, has exercise, criterion, points and what is said of a failure as properties.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator

import pytest
from checks import Criterion, calls
from checks.reading import explain
from checks.report import Exercise, Result, last_lines, order, table, total


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Exercises in the order in which the student's files define them."""
    items.sort(key=lambda item: order(_exercise(item)))
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


class ExerciseReport:
    """Collects what happened to each test, and says it at the end."""

    def __init__(self) -> None:
        self.exercises: dict[str, Exercise] = {}
        self.results: dict[str, Result] = {}
        self.unreadable: dict[str, str] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            exercise = self.exercises.setdefault(_exercise(item), Exercise(_exercise(item), bonus=_is_bonus(item)))
            self.results[item.nodeid] = Result(_criterion(item), alone=_command(item))
            exercise.results.append(self.results[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        try:
            yield
        finally:
            self.results[item.nodeid].notes = tuple(calls.written)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.results[report.nodeid].ran = True

    def pytest_exception_interact(
        self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[object], report: pytest.TestReport
    ) -> None:
        assert call.excinfo is not None
        error = call.excinfo.value
        if not isinstance(node, pytest.Item):
            cause = error.__cause__ or error
            self.unreadable[node.nodeid] = f"{type(cause).__name__}: {cause}"
            return
        result = self.results[node.nodeid]
        result.ran = True
        result.fail(error, _exercise(node))
        result.line = result.line or _test_line(node, error)
        result.printed = last_lines(report.capstdout + report.capstderr)

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str]:
        return report.outcome if report.when == "call" or report.failed else "", "", ""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        exercises = list(self.exercises.values())
        for text, colour in table(exercises):
            terminalreporter.write_line(text, **({colour: True} if colour else {}))
        for nodeid, sentence in self.unreadable.items():
            terminalreporter.write_line(f"{nodeid} cannot be read: {sentence}", red=True)
        points = f"Total: {total(exercises)} points in the visible tests. Grading uses other inputs."
        terminalreporter.write_line("")
        terminalreporter.write_line(points if exercises else "No test was selected.")


def _exercise(item: pytest.Item) -> str:
    """The module-level ``name`` of a test file, which its stem repeats."""
    return str(getattr(getattr(item, "module", None), "name", item.path.stem))


def _is_bonus(item: pytest.Item) -> bool:
    """Whether the test file says ``bonus = True``."""
    return bool(getattr(getattr(item, "module", None), "bonus", False))


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
