"""Source that takes the parser much time or memory is told from source that people write, without parsing it."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest

from autograder.student.checks.syntax import MAX_TOKENS, TooComplex, parse, tokens

ROOT = Path(__file__).resolve().parents[1]
COMPLEX = {
    "names": "x = [" + "a," * 60_000 + "]",
    "statements": "a;" * 60_000,
    "hidden behind a comment": "x = '#'\n" + "a;" * 60_000,
    "hidden behind a line": "#----\n" + "a;" * 60_000,
    "dotted import": "import a" + ".a" * 40_000,
    "dotted import in lines": "import a" + " \\\n. a" * 20_000,
    "dotted from": "from a" + ".bb" * 200 + " import c",
    "fields of an f-string": "x = f'" + "{a}" * 33_000 + "'",
    "fields in a long file": "x = f'" + "{a}" * 3_000 + "'\n#" + "-" * 800_000,
    "identifier": "a" + "\u0301" * 10_000 + "\u0327" * 10_000 + " = 1",
    "identifier that decomposes into marks": "a" + "\u0f73" * 10_000 + " = 1",
}


@pytest.mark.parametrize("source", COMPLEX.values(), ids=list(COMPLEX))
def test_what_would_take_too_much_is_not_parsed(source: str) -> None:
    with pytest.raises(TooComplex):
        parse(source)


@pytest.mark.parametrize(
    "source",
    [
        "x = '" + "a" * 900_000 + "'",
        "#" * 900_000,
        "\n" * 900_000,
        "\\\n" * 400_000 + "a",
        "x = 0x" + "f" * 900_000,
        ("# " + "=" * 78 + "\n") * 10_000,
        "x = '" + ".5, " * 30_000 + "'",
        "# 卷积 " * 30_000,
        "x = {" + "1: f'{a}'," * 1_000 + "}",
        "x = " + "...," * 10_000,
        "x = [" + "0.25, " * 30_000 + "]",
    ],
    ids=lambda source: source[:12],
)
def test_long_sources_that_cost_little_are_parsed(source: str) -> None:
    assert isinstance(parse(source), ast.Module)


def test_everything_that_people_wrote_here_is_parsed() -> None:
    for folder in ("autograder", "solutions", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8-sig")
            if "attacks" not in path.parts:
                assert tokens(source) < MAX_TOKENS / 2
                parse(source)


@pytest.mark.parametrize("source", ["def f(:", "x = 1\0", "x = " + "(" * 500, "x = " + "-" * 20_000 + "1"])
def test_what_is_not_python_is_said_as_the_parser_says_it(source: str) -> None:
    with pytest.raises((SyntaxError, ValueError, RecursionError, MemoryError)):
        parse(source)


@pytest.mark.filterwarnings("error")
def test_warnings_of_the_parser_do_not_matter() -> None:
    parse('x = "\\d" is 1')


@pytest.mark.parametrize("piece", [".a", ". ", "#-", "a\u0301", "\u0301", ".\\\n", "(", "a. "])
def test_the_look_takes_time_in_proportion_to_the_length(piece: str) -> None:
    def seconds(length: int) -> float:
        source = piece * (length // len(piece))
        start = time.process_time()
        with pytest.raises((TooComplex, SyntaxError, ValueError, MemoryError)):
            parse(source + "\n(")
        return time.process_time() - start

    assert seconds(400_000) < 40 * max(seconds(40_000), 0.005)
