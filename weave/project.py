"""Comparing what no single page states: lists, downloads, exercises, orphans."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from weave import api, commands, glossary, works
from weave.changes import unexplained
from weave.errors import WeaveError
from weave.exercises import exercises, faults
from weave.guide import Guide
from weave.interface import TYPES, WIDGETS, widget_types
from weave.page import Page
from weave.plots import plot_path
from weave.report import Correction, Report, whole_file
from weave.standalone import standalone


def examine_project(guide: Guide) -> Report:
    """Compare what no single page states."""
    report = Report([], [])
    for find in (
        _orphans,
        _mislabelled,
        _unchecked_files,
        unexplained,
        _undecided,
        api.faults,
        commands.faults,
        works.faults,
        glossary.faults,
    ):
        try:
            report.errors += find(guide)
        except WeaveError as error:  # because of which no more can be said
            report.errors.append(error)
    for compare in (_downloads, _waiting, _interface):
        try:
            report.corrections += compare(guide)
        except WeaveError as error:
            report.errors.append(error)
    return report


def _undecided(guide: Guide) -> list[WeaveError]:
    """Find exercises that cannot tell right from wrong."""
    return faults(guide.root)


def _orphans(guide: Guide) -> Iterator[WeaveError]:
    """Find what nothing shows: programs, data, files of the package without a page."""
    pages = list(guide.pages.values())
    mentioned = "\n".join("\n".join(page.lines) for page in pages)
    for source in [*guide.sources, *guide.programs]:
        if guide.source_page(source) is None:
            yield WeaveError("has no source page in docs/reference/source/", source)
    for program in guide.programs:
        if f"snippets.{program.stem}" not in mentioned:
            yield WeaveError("no page shows it", program)
    named = {
        "\n".join(f.body) for p in pages for f in p.fences if f.language == "exercise"
    }
    for folder in exercises(guide.root):
        if folder.name not in named:
            yield WeaveError("no page has this exercise", folder)


def _mislabelled(guide: Guide) -> Iterator[WeaveError]:
    """Find source pages whose title or place in the menu names another file."""
    for source in [*guide.sources, *guide.programs]:
        path = guide.source_page(source)
        if path is None:
            continue
        title = guide.pages[path].title().strip("`")
        menu = guide.menu.get(path.relative_to("docs").as_posix()) or source.name
        if title != source.as_posix() or menu != source.name:
            yield WeaveError(f"shows {source}, but is called {title} and {menu}", path)


def _unchecked_files(guide: Guide) -> Iterator[WeaveError]:
    """Find files that a page could lead to and that nothing compares."""
    known = {c for page in guide.pages.values() for c in _drawn(page)}
    recorded = guide.options.get("recorded", {})
    known |= {Path("docs", "data", name) for name in recorded}
    known |= set(guide.downloads.values()) | set(guide.labs)
    known |= {Path("docs", "downloads", "names.txt")}
    theme = guide.settings.get("theme", {})
    known |= {Path("docs", theme[key]) for key in ("logo", "favicon") if key in theme}
    for file in sorted((guide.root / "docs").rglob("*")):
        path = file.relative_to(guide.root)
        style = path.parts[1:2] in (("styles",), ("assets",))
        kinds = (".css", ".woff2") if style else (".md",)
        if file.is_file() and path not in known and path.suffix not in kinds:
            yield WeaveError("nothing checks what this file says", path)
    for name, test in recorded.items():
        if not _names(guide.root / test, Path(name).stem):
            what = f"{test}, said to check docs/data/{name}, does not name it"
            yield WeaveError(what, Path("pyproject.toml"))


def _names(file: Path, name: str) -> bool:
    """Tell whether a file exists and has a name in it."""
    return file.is_file() and name in file.read_text(encoding="utf-8")


def _drawn(page: Page) -> set[Path]:
    return {plot_path(page, fence) for fence in page.fences if fence.language == "plot"}


def _downloads(guide: Guide) -> Iterator[Correction]:
    """Each program as one file, for readers to download."""
    for program, path in guide.downloads.items():
        text = standalone(guide.root, f"snippets.{program.stem}")
        yield from whole_file(
            guide.root, path, text, f"is not what {program.name} gives today"
        )
    names = (guide.root / "microgpt" / "names.txt").read_text(encoding="utf-8")
    path = Path("docs", "downloads", "names.txt")
    yield from whole_file(guide.root, path, names, "is not the package's list of names")


def _interface(guide: Guide) -> Iterator[Correction]:
    """What widgets' pages know of their functions is what these take and return."""
    if (guide.root / WIDGETS).is_dir():
        message = "is not what the widgets' functions take and return"
        yield from whole_file(guide.root, TYPES, widget_types(guide.root), message)


def _waiting(guide: Guide) -> Iterator[Correction]:
    """The number of unexplained lines may only fall, and is written down."""
    waiting = sum(len(guide.waiting(source)) for source in guide.sources)
    said = guide.options.get("waiting", 0)
    if waiting > said:
        new = [f"{s}:{n}" for s in guide.sources for n in guide.waiting(s)]
        raise WeaveError(
            f"{waiting} lines of the package wait for an explanation, {said} did: list "
            f"the new ones on a page ({', '.join(new[:3])}, …)",
            Path("pyproject.toml"),
        )
    if waiting < said:
        lines = (guide.root / "pyproject.toml").read_text("utf-8").splitlines()
        if f"waiting = {said}" not in lines:
            message = f"write 'waiting = {said}' on a line of its own"
            raise WeaveError(message, Path("pyproject.toml"))
        number = lines.index(f"waiting = {said}") + 1
        yield Correction(
            Path("pyproject.toml"),
            (number, 0),
            (number, len(lines[number - 1])),
            f"waiting = {waiting}",
            f"{waiting} lines wait for an explanation, no longer {said}",
        )
