"""Which module imports which: ``python tests/scale/import_graph.py`` writes docs/imports.md and its picture.

The modules of a folder are drawn as one, unless that would make a circle. A line that follows from others is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from html import escape
from importlib.util import resolve_name
from math import fsum
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "autograder"
PAGE, PICTURE = Path("docs", "imports.md"), Path("docs", "imports.svg")
Graph = Mapping[str, frozenset[str]]

ROW, HEIGHT, GAP, LETTER, WIDTH = 78, 24, 14, 7.4, 1240  # pixels
HEAD = """\
# The import graph

Each module of `autograder/` imports only modules that stand below it. A folder is shown as one box where its modules
may be; lines that follow from others are left out. `python tests/scale/import_graph.py` writes this page and its
picture, and a test holds both true.

![The modules of the engine in layers, from the command line at the top to the wire format at the bottom](imports.svg)

What each is for, from top to bottom:

| | module | |
|---|---|---|
"""


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Dotted name of each module of the engine → its file; what is copied to students is in no package."""
    found = [path for path in sorted((root / PACKAGE).rglob("*.py")) if path.with_name("__init__.py").is_file()]
    files = {path: path.relative_to(root).with_suffix("").parts for path in found}
    return {".".join(part for part in parts if part != "__init__"): path for path, parts in files.items()}


def named(path: Path, root: Path = ROOT) -> set[str]:
    """Every module that a file may import: of ``from a import b`` it is a, and perhaps a.b."""
    package, found = ".".join(path.relative_to(root).parent.parts), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            found |= {f"{module}.{alias.name}" for alias in node.names}
            found |= {module} - {package if node.level else ""}
    return found


def imports(root: Path = ROOT) -> Graph:
    """Module → the modules of the engine that it imports. What the package itself exports is imported at first use."""
    files = modules(root)
    graph = {name: frozenset(named(path, root) & files.keys() - {name, PACKAGE}) for name, path in files.items()}
    return {name: others for name, others in graph.items() if name != PACKAGE}


def grouped(graph: Graph) -> Graph:
    """The same with folders in the place of their modules, as far as that makes no circle."""
    opened = {PACKAGE}
    while True:
        boxes = {name: _box(name, graph.keys() - opened) for name in graph}
        found: dict[str, set[str]] = {box: set() for box in boxes.values()}
        for name, others in graph.items():
            found[boxes[name]] |= {boxes[other] for other in others} - {boxes[name]}
        try:
            TopologicalSorter(found).prepare()
        except CycleError as error:
            opened |= set(error.args[1])
        else:
            return {box: frozenset(others) for box, others in found.items()}


def _box(name: str, closed: set[str]) -> str:
    """The outermost of the modules that the name begins with and that are not looked into."""
    parts = name.split(".")
    starts = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return next((start for start in starts if start in closed), name)


def reduced(graph: Graph) -> Graph:
    """Without the imports that follow from others."""
    below: dict[str, set[str]] = {}
    for name in TopologicalSorter(graph).static_order():
        below[name] = graph[name].union(*(below[other] for other in graph[name]))
    return {
        name: frozenset(o for o in others if all(o not in below[x] for x in others)) for name, others in graph.items()
    }


def layers(graph: Graph) -> list[list[str]]:
    """From top to bottom; each module stands as low as what it imports lets it."""
    depth: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        depth[name] = max((depth[other] + 1 for other in graph[name]), default=0)
    return [sorted(name for name in graph if depth[name] == level) for level in range(max(depth.values()), -1, -1)]


def picture(graph: Graph) -> str:
    """The graph as SVG."""
    graph = reduced(graph)
    rows = [line for layer in _ordered(layers(graph), graph) for line in _lines(layer)]
    boxes: dict[str, tuple[float, float, float]] = {}  # middle, top, width
    for number, row in enumerate(rows):
        widths = [len(_short(name)) * LETTER + 2 * GAP for name in row]
        left = (WIDTH - sum(widths) - GAP * (len(row) - 1)) / 2
        for name, width in zip(row, widths, strict=True):
            boxes[name] = left + width / 2, GAP + number * ROW, width
            left += width + GAP
    drawn = [_curve(boxes[name], boxes[other]) for name in boxes for other in sorted(graph[name])]
    for name, (middle, top, width) in boxes.items():
        drawn += [
            f'<rect x="{middle - width / 2:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}" rx="5"/>',
            f'<text x="{middle:.0f}" y="{top + 16}">{escape(_short(name))}</text>',
        ]
    height = 2 * GAP + (len(rows) - 1) * ROW + HEIGHT
    style = (
        "path{fill:none;stroke:#7a8ca3;stroke-width:1;stroke-opacity:.65}rect{fill:#eaf1fa;stroke:#3d6fa8}"
        "text{font:12px ui-monospace,Consolas,monospace;text-anchor:middle;fill:#14202e}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    return "\n".join(
        [
            head,
            f"<style>{style}</style>",
            '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _ordered(rows: Sequence[Sequence[str]], graph: Graph) -> list[list[str]]:
    """Each row in an order in which lines cross less: by the mean place of the neighbors, again and again."""
    ordered = [list(row) for row in rows]
    neighbors = {name: sorted(others) for name, others in graph.items()}
    for name, others in graph.items():
        for other in others:
            neighbors[other].append(name)
    for _ in range(20):
        place = {name: (number + 0.5) / len(row) for row in ordered for number, name in enumerate(row)}
        for row in ordered:
            mean = {name: fsum(place[o] for o in neighbors[name]) / max(1, len(neighbors[name])) for name in row}
            row.sort(key=lambda name: (mean[name], name))
    return ordered


def _lines(row: Sequence[str]) -> list[list[str]]:
    """A layer that is too wide, in several lines."""
    lines: list[list[str]] = [[]]
    for name in row:
        if sum(len(_short(n)) * LETTER + 3 * GAP for n in (*lines[-1], name)) > WIDTH:
            lines.append([])
        lines[-1].append(name)
    return lines


def _curve(upper: tuple[float, float, float], lower: tuple[float, float, float]) -> str:
    (x, y, _), (to, end, _) = upper, lower
    y += HEIGHT
    bend = min(40.0, (end - y) / 2)
    return f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to:.0f} {end - bend:.0f} {to:.0f} {end:.0f}"/>'


def _short(name: str) -> str:
    return name.removeprefix(f"{PACKAGE}.").replace(".", "/")


def page(graph: Graph, files: Mapping[str, Path]) -> str:
    """The table of modules with the first sentence of each docstring, below the picture."""
    rows = []
    for number, layer in enumerate(layers(graph), start=1):
        for name in layer:
            said = " ".join((ast.get_docstring(ast.parse(files[name].read_text(encoding="utf-8"))) or "").split())
            sentence = said.partition(". ")[0].rstrip(".:").replace("``", "`").replace(":func:", "").replace("|", "\\|")
            rows.append(
                f"| {number} | `{_short(name)}{'/' if files[name].stem == '__init__' else ''}` | {sentence}. |\n"
            )
    return HEAD + "".join(rows)


def written(root: Path = ROOT) -> dict[Path, str]:
    """Path below ``root`` → content of the page and the picture."""
    graph = grouped(imports(root))
    return {PAGE: page(graph, modules(root)), PICTURE: picture(graph)}


if __name__ == "__main__":
    for path, text in written().items():
        (ROOT / path).write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {path}")
