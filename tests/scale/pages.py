"""Pages in a browser: ``python tests/scale/pages.py PAGE... --axe node_modules/axe-core/axe.min.js [-o SHOTS]``

Each page is opened on a wide screen, on a phone, in the dark and as it is printed. It must ask for nothing but itself,
say nothing on the console, be no wider than the screen, and axe-core must find nothing serious in it. ``-o`` keeps
pictures. It needs the package playwright, a Chromium (``--chromium``) and axe-core from npm, none of which is a
dependency of this project.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

VIEWS = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "wide-dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone-dark": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "print": {},
}
PAPER = {"width": 688, "height": 1017}  # A4 without its margins
SERIOUS = ("serious", "critical")
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--axe", type=Path, required=True)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    parser.add_argument("-o", dest="shots", type=Path)
    options = parser.parse_args()
    axe = options.axe.read_text(encoding="utf-8")
    bad = False
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        for page in options.pages:
            for view in VIEWS:
                picture = options.shots / f"{page.parent.name}-{page.stem}-{view}.png" if options.shots else None
                found = list(look(browser, page.resolve(), view, axe, picture))
                bad |= any(not told.startswith("minor") for told in found)
                print(f"{page} {view}: {'; '.join(found) or 'nothing found'}", flush=True)
        browser.close()
    return int(bad)


def look(browser: Browser, file: Path, view: str, axe: str, picture: Path | None) -> Iterator[str]:
    """What is wrong with the page in one view; what axe-core calls moderate or minor begins with "minor"."""
    context = browser.new_context(**VIEWS[view])  # type: ignore[arg-type]
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    if view == "print":
        page.emulate_media(media="print")
        across = page.evaluate("getComputedStyle(document.body).page === 'wide'")
        page.set_viewport_size({"width": PAPER["height"], "height": PAPER["width"]} if across else PAPER)
    if others := [url for url in asked if url != file.as_uri()]:
        yield f"asks for {', '.join(others)}"
    if said:
        yield f"console: {' | '.join(said)}"
    if (wider := page.evaluate(WIDER)) > 0:
        yield f"{wider} px wider than the screen"
    page.evaluate(axe)
    results: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    for one in results["violations"]:
        kind = one["impact"] if one["impact"] in SERIOUS else "minor"
        yield f"{kind}: {one['id']} ({len(one['nodes'])}, such as {one['nodes'][0]['html'][:100]})"
    if picture:
        page.evaluate("document.querySelectorAll('details:not(.exercise)').forEach(one => one.open = false)")
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=picture, full_page=True)
        if view == "print":
            page.pdf(path=picture.with_suffix(".pdf"), prefer_css_page_size=True)
    context.close()


if __name__ == "__main__":
    sys.exit(main())
