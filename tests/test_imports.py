"""The engine's imports: one way, without content, and as docs/imports.md shows them."""

from __future__ import annotations

from graphlib import TopologicalSorter
from pathlib import Path

import import_graph
import pytest

from autograder.loading import find_assignments

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "autograder").rglob("*.py"))


def test_the_engine_imports_one_way() -> None:
    graph = import_graph.imports()
    assert len(graph) > 100
    TopologicalSorter(graph).prepare()  # raises where there is a circle


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_engine_imports_no_content(path: Path) -> None:
    assert not {
        name for name in import_graph.named(path) if name.split(".")[0] in ("solutions", "assignments", "tests")
    }


def test_the_engine_names_no_assignment() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    assert {name for name in find_assignments(ROOT) if name in text} <= {"a1_convolution"}  # the example of a name


def test_the_page_and_the_picture_are_those_of_the_code() -> None:
    for path, text in import_graph.written().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, "run python tests/scale/import_graph.py"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """An engine of two folders, which import each other without a circle of modules."""
    files = {
        "": "",
        "cli": "from autograder import box, text",
        "text": "from autograder.box.wire import weight",
        "box": "",
        "box/host": "import autograder.text\nfrom autograder.box import wire",
        "box/wire": "import os",
    }
    for name, source in files.items():
        folder = tmp_path / "autograder" / name
        path = folder / "__init__.py" if name in ("", "box") else folder.with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return tmp_path


def test_a_folder_is_one_box_unless_that_makes_a_circle(tiny: Path) -> None:
    graph = import_graph.grouped(import_graph.imports(tiny))
    boxes = {name.removeprefix("autograder."): {o.removeprefix("autograder.") for o in graph[name]} for name in graph}
    assert boxes["box.host"] == {"box", "box.wire", "text"}
    assert boxes["cli"] == {"box", "text"}
    (tiny / "autograder" / "box" / "host.py").write_text("from autograder.box import wire", encoding="utf-8")
    assert set(import_graph.grouped(import_graph.imports(tiny))) == {
        "autograder.box",
        "autograder.cli",
        "autograder.text",
    }


def test_an_import_that_follows_from_others_is_not_drawn(tiny: Path) -> None:
    graph = import_graph.imports(tiny)
    assert import_graph.reduced(graph)["autograder.box.host"] == {"autograder.box", "autograder.text"}
    assert import_graph.layers(graph)[0] == ["autograder.box.host", "autograder.cli"]
