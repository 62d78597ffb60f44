"""The guide as a whole: its pages in reading order, its navigation, its addresses."""

import posixpath
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from weave import labs
from weave.errors import WeaveError
from weave.labs import Notebook
from weave.page import Page, read_page
from weave.text import plain

SOURCE_PAGES = Path("docs", "reference", "source")


@dataclass(frozen=True)
class Section:
    """A page's place in the navigation: its step and its number in it, from 1."""

    step: str
    number: int
    count: int


class Guide:
    """All pages of a project, read from its `docs/` in the order of its navigation.

    `told` has texts, by path, that `text` returns in place of what files say. Code that
    runs is always that of the files.
    """

    def __init__(self, root: Path, told: dict[Path, str] | None = None) -> None:
        self.root = root
        self.told = told or {}
        try:
            self.settings = _settings(self.text(Path("mkdocs.yml")))
        except yaml.YAMLError as error:
            raise WeaveError(f"is not YAML: {error}", Path("mkdocs.yml")) from None
        try:
            pyproject = tomllib.loads(self.text(Path("pyproject.toml")))
        except tomllib.TOMLDecodeError as error:
            raise WeaveError(f"is not TOML: {error}", Path("pyproject.toml")) from None
        self.options: dict[str, Any] = pyproject.get("tool", {}).get("weave", {})
        self.sections = dict(_sections(self.settings.get("nav", [])))
        self.menu = dict(_menu(self.settings.get("nav", [])))
        self._known: dict[Path, str] = {}  # what each page said when it was asked first
        self._read: dict[Path, Page] = {}
        self.made: dict[Any, Any] = {}  # what was made of the guide, by who made it

    @cached_property
    def paths(self) -> list[Path]:
        """Every page, those of the navigation first, in its order."""
        return self._in_order("docs/**/*.md")

    @cached_property
    def labs(self) -> list[Path]:
        """Every lab: a notebook that is a page, in the order of the navigation."""
        return self._in_order("docs/labs/*.ipynb")

    def _in_order(self, pattern: str) -> list[Path]:
        found = {path.relative_to(self.root) for path in self.root.glob(pattern)}
        in_order = [Path("docs", path) for path in self.sections]
        return [p for p in in_order if p in found] + sorted(found.difference(in_order))

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """Every page, read."""
        return {path: self.read(path) for path in self.paths}

    def read(self, path: Path) -> Page:
        """Read one page, or a lab as one; `path` is relative to the project."""
        if path not in self._read:
            self._read[path] = read_page(path, self.markdown(path))
        return self._read[path]

    def notebook(self, path: Path) -> Notebook:
        """Read a lab as the notebook that it is."""
        return labs.read(self.text(path), path)

    def markdown(self, path: Path) -> str:
        """Return the Markdown of a page, or of a lab as one."""
        if path not in self._known:
            text = self.text(path)
            lab = path.suffix == ".ipynb"
            self._known[path] = _as_markdown(path, text) if lab else text
        return self._known[path]

    def text(self, path: Path) -> str:
        """Return the text of a file of the project; raise WeaveError if it has none."""
        if path in self.told:
            return self.told[path]
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except OSError as error:
            raise WeaveError(f"cannot be read: {error.strerror}", path) from None
        except UnicodeDecodeError:
            raise WeaveError("cannot be read: it is not UTF-8 text", path) from None

    @cached_property
    def sources(self) -> list[Path]:
        """The files of the package."""
        found = self.root.glob("microgpt/**/*")
        of_code = (file for file in found if file.suffix in (".py", ".c"))
        return sorted(path.relative_to(self.root) for path in of_code)

    @cached_property
    def programs(self) -> list[Path]:
        """The programs of the ladder, and examples."""
        found = self.root.glob("snippets/[!_]*.py")
        return sorted(path.relative_to(self.root) for path in found)

    @cached_property
    def code(self) -> str:
        """All Python of the project that pages speak of."""
        files = [
            f
            for folder in ("microgpt", "snippets")
            for f in self.root.glob(f"{folder}/**/*.py")
        ]
        return "\n".join(file.read_text(encoding="utf-8") for file in sorted(files))

    def has_file(self, name: str) -> bool:
        """Tell whether the project has a file of that name or path."""
        if "/" in name or (self.root / name).is_file():
            return (self.root / name).is_file()
        folders = ("microgpt", "snippets", "docs", "weave", "tests")
        return any(any(self.root.glob(f"{folder}/**/{name}")) for folder in folders)

    def lines(self, source: Path) -> list[str]:
        """The lines of a source file."""
        return self.text(source).splitlines()

    @cached_property
    def steps(self) -> dict[str, Path]:
        """The steps of the navigation, in order, each with its first page."""
        return {
            section.step: Path("docs", path)
            for path, section in self.sections.items()
            if section.step.startswith("Step") and section.number == 1
        }

    @cached_property
    def names(self) -> dict[str, list[Path]]:
        """What pages are called, in small letters: titles, menu, steps; with whom."""
        found: dict[str, list[Path]] = {}
        for path in [*self.paths, *self.labs]:
            inside = path.relative_to("docs").as_posix()
            section = self.sections.get(inside)
            step = section.step.partition(" · ")[2] if section else ""
            for name in {plain(self.read(path).title()), self.menu.get(inside), step}:
                if name:
                    found.setdefault(name.lower(), []).append(path)
        return found

    def place(self, path: Path) -> str:
        """Return what a page is called among others: `2.5 Backward` with its step."""
        title = plain(self.pages[path].title())
        section = self.sections.get(path.relative_to("docs").as_posix())
        if section and (step := re.search(r"\d+", section.step)):
            return f"{step[0]}.{section.number} {title}"
        return title

    def section(self, path: Path) -> Section | None:
        """Return the place of a page in the navigation, if it has one."""
        return self.sections.get(path.relative_to("docs").as_posix())

    def after(self, path: Path) -> Path | None:
        """Return the page that comes next in the navigation, if there is one."""
        order = [Path("docs", each) for each in self.sections]
        place = order.index(path) + 1 if path in order else len(order)
        return order[place] if place < len(order) else None

    def source_page(self, source: Path) -> Path:
        """Return the page of a source file: `engines-dot.md` for `engines/dot.py`."""
        parts = source.with_suffix("").parts[1:]
        named = [part.strip("_") for part in parts if part != "__init__"]
        return SOURCE_PAGES / f"{'-'.join(named) or 'package'}.md"


@lru_cache(maxsize=64)  # every page of a build is compared with them
def _as_markdown(path: Path, text: str) -> str:
    """Return the text of a notebook as the Markdown of a page."""
    return labs.as_markdown(labs.read(text, path), path)


def link(source: Path, target: Path, *, finished: bool) -> str:
    """Return a link from a page to another page or file under docs/.

    Builders want it differently: `finished`, between the directories that the site
    serves (`../value/`), or as an author writes it, between files (`value.md`).
    """
    if finished:
        start, end = served(source), served(target)
        relative = posixpath.relpath(end, start)
        return relative if not is_page(target) else f"{relative}/"
    return posixpath.relpath(target.as_posix(), source.parent.as_posix())


def is_page(path: Path) -> bool:
    """Tell whether a file of docs/ is shown as a page: Markdown, or a lab."""
    lab = path.suffix == ".ipynb" and path.parent == Path("docs", "labs")
    return lab or path.suffix == ".md"


def served(path: Path) -> str:
    """Return where the site has a file of docs/, below its own address."""
    inside = path.relative_to("docs")
    if not is_page(path):
        return inside.as_posix()
    inside = inside.with_suffix("")
    return (inside.parent if inside.name == "index" else inside).as_posix()


def address_of(path: Path) -> str:
    """Return the address of a page or file of docs/, below the site's own."""
    if not is_page(path):
        return quote(served(path))
    return "" if served(path) == "." else quote(f"{served(path)}/")


def _sections(nav: list[Any], step: str = "") -> list[tuple[str, Section]]:
    found: list[tuple[str, Section]] = []
    targets = [next(iter(e.values())) if isinstance(e, dict) else e for e in nav]
    titles = [next(iter(e)) if isinstance(e, dict) else "" for e in nav]
    pages = [target for target in targets if isinstance(target, str)]
    for title, target in zip(titles, targets, strict=True):
        if isinstance(target, str):
            place = Section(step, pages.index(target) + 1, len(pages))
            found.append((target, place))
        else:
            found += _sections(target, title)
    return found


def _menu(nav: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield each page of the navigation that has a title there, and the title."""
    for entry in nav:
        for title, target in entry.items() if isinstance(entry, dict) else ():
            if isinstance(target, str):
                yield target, title
            else:
                yield from _menu(target)


class _Settings(yaml.SafeLoader):
    """Reads mkdocs.yml, whose tags name Python objects that nothing here needs."""


_Settings.add_multi_constructor("", lambda loader, suffix, node: None)


@lru_cache(maxsize=1)  # a guide is made for every page of a build
def _settings(text: str) -> dict[str, Any]:
    return yaml.load(text, _Settings) or {}
