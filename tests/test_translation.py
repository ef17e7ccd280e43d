"""Handouts in a second language keep the sections, formulas, tables, figures and code, and say what has changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder import translation
from autograder.cli import main

ROOT = Path(__file__).parents[1]
TRANSLATED = sorted((ROOT / "assignments").glob(f"*/{translation.TRANSLATIONS}"))

ENGLISH = """# Ships

Why do they swim?

## §1 "Loads"

Each has $n$ tons, see `loads`; a total of

```math
m = \\sum_i n_i \\text{ tons}
```

![Three ships](figures/ships.png)

### Counting

| ship | tons |
|---|---|
| Ada | 3.5 |

```console
$ python -m pytest    # everything
```

## Exercises and points

| exercise | points | section |
|---|---|---|
| `loads` | 4 | §1 |
| all | 4 | |
"""
CHINESE = """# 船
<!-- from: Ships -->

为什么浮得起来?

## §1 载重
<!-- from: §1 "Loads" -->

看 `loads`:每艘 $n$ 吨,一共

```math
m = \\sum_i n_i \\text{ 吨}
```

![三艘船](figures/ships.png)

### 数一数
<!-- from: Counting -->

| 船 | 吨 |
|---|---|
| 阿达 | 3.5 |

```console
$ python -m pytest    # 全部
```

## 练习与分值
<!-- from: Exercises and points -->

| 练习 | 分值 | 章节 |
|---|---|---|
| `loads` | 4 | §1 |
| 合计 | 4 | |
"""
TITLES = ["Ships", '§1 "Loads"', "Counting", "Exercises and points"]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "assignments" / "a1_ships"
    folder.mkdir(parents=True)
    (tmp_path / "solutions" / "a1_ships" / "grading").mkdir(parents=True)
    (folder / "README.md").write_text(ENGLISH, encoding="utf-8")
    (folder / "README.zh.md").write_text(CHINESE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: f"{path.parent.name}/{path.name}")
class TestTranslations:
    def test_they_say_what_the_original_says(self, path: Path) -> None:
        assert translation.remarks(path.parent) == []

    def test_links_lead_to_headings(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        titles = [re.sub(r"[^\w\- ]", "", title.lower()) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
        targets = re.findall(r"\]\(#(.+?)\)", text)
        assert len(targets) >= 10
        assert set(targets) <= {title.replace(" ", "-").lstrip("-") for title in titles}

    def test_formulas_and_emphasis_are_recognised_between_chinese_letters(self, path: Path) -> None:
        """GitHub takes a dollar for a formula's only after a space, and not before a letter."""
        prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for formula in re.finditer(r"\$[^$]+\$", prose):
            before, after = prose[formula.start() - 1], prose[formula.end()]
            assert before.isspace(), prose[formula.start() - 9 : formula.end()]
            assert not after.isalnum(), prose[formula.start() : formula.end() + 9]
        words = [child.content for token in translation._tokens(prose) for child in token.children or ()]
        assert [word for word in words if "*" in word] == []


def test_the_first_handout_is_translated() -> None:
    assert ROOT / "assignments" / "a1_convolution" / "README.zh.md" in TRANSLATED


def test_words_may_differ_within_formulas_and_beside_code() -> None:
    assert [section.title for section in translation.sections(ENGLISH)] == TITLES
    assert [section.origin for section in translation.sections(CHINESE)] == TITLES
    assert translation.differences(ENGLISH, CHINESE) == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("$n$", "$m$", '“§1 "Loads"” lacks the formula n'),
        ("\\sum_i n_i", "\\sum_j n_j", '“§1 "Loads"” lacks the formula m=\\sum_in_i'),
        ("ships.png", "boats.png", '“§1 "Loads"” lacks the figure figures/ships.png'),
        ("`loads`:", "", '“§1 "Loads"” lacks the code loads'),
        ("| 阿达 | 3.5 |\n", "", "“Counting” lacks the table  |  /  | 3.5"),
        ("| 3.5 |", "| 35 |", "“Counting” has the table  |  /  | 35, which the original has not"),
        ("python -m pytest ", "pytest ", "“Counting” lacks the code $ python -m pytest"),
        ("### 数", "## 数", "“Counting” has another level of heading"),
        ("<!-- from: Counting -->", "", "“数一数” does not say which section it is from"),
        ("from: Counting", "from: Sums", "“Counting” is not translated"),
        ("from: Counting", "from: Sums", "there is no section “Sums”"),
        ("from: Counting", "from: Ships", "“Counting” is not translated"),
    ],
)
def test_what_is_missing_is_named(old: str, new: str, sentence: str) -> None:
    assert CHINESE.count(old) == 1
    assert sentence in translation.differences(ENGLISH, CHINESE.replace(old, new))


def test_sections_in_another_order_are_said() -> None:
    first, second = "from: Ships", "from: Counting"
    swapped = CHINESE.replace(first, "from: ?").replace(second, first).replace("from: ?", second)
    assert translation.differences(ENGLISH, swapped) == ["the sections stand in another order, or one stands twice"]


def test_only_the_section_that_has_changed_is_named() -> None:
    done = translation.confirmed(ENGLISH, CHINESE, TITLES)
    assert translation.changed(ENGLISH, CHINESE) == TITLES  # never confirmed
    assert translation.changed(ENGLISH, done) == []
    assert translation.changed(ENGLISH.replace("Ada", "Eve"), done) == ["Counting"]
    assert translation.changed(ENGLISH.replace("| 4 |", "| 5 |"), done) == []  # of points, build takes care


@pytest.mark.parametrize(
    ("wanted", "titles"),
    [
        (["§1"], ['§1 "Loads"', "Counting"]),
        (["Count", "Ships"], None),
        (["Counting", "Ships"], ["Counting", "Ships"]),
        (["all"], [*TITLES[:2], "Counting", *TITLES[2:]]),
    ],
)
def test_sections_are_chosen_by_their_beginning(wanted: list[str], titles: list[str] | None) -> None:
    if titles is None:
        with pytest.raises(translation.CourseError, match="No section's title begins with “Count”"):
            translation.chosen(ENGLISH, wanted)
    else:
        assert translation.chosen(ENGLISH, wanted) == titles


def test_a_translator_says_what_is_done(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--course", str(course), "translated", "a1"]
    path = course / "assignments" / "a1_ships" / "README.zh.md"
    assert main(command) == 1
    assert path.read_text(encoding="utf-8") == CHINESE  # to look changes nothing
    assert main([*command, "--done", "§1"]) == 1
    assert main([*command, "--done", "all"]) == 0
    *_, said = capsys.readouterr().out.splitlines()
    assert said == "All sections are translated as they stand."
    original = path.with_name("README.md")
    original.write_text(ENGLISH.replace("tons, see", "tons (see"), encoding="utf-8")
    assert main(command) == 1
    expected = 'a1_ships/README.zh.md: “§1 "Loads"” has changed since it was translated.'
    assert capsys.readouterr().out.splitlines() == [expected]


def test_without_a_translation_there_is_nothing_to_do(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / "assignments" / "a1_ships" / "README.zh.md").unlink()
    assert main(["--course", str(course), "translated", "a1"]) == 2
    assert "holds no translation of README.md" in capsys.readouterr().err
