"""The guide as a whole: its pages in reading order, its navigation, its addresses."""

import posixpath
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import yaml

from weave import labs
from weave.errors import WeaveError
from weave.json_process import JsonProcess
from weave.markdown_text import strip_markup
from weave.node import start_drawing_process
from weave.page import Page, parse_page
from weave.python_archive import hash_python_archive

SOURCE_PAGES_FOLDER = Path("docs", "reference", "source")


@dataclass(frozen=True)
class NavigationEntry:
    """A page's place in the navigation: its step and its number in it, from 1."""

    step_title: str
    number: int
    count: int
    menu_title: str = ""  # in the menu; nothing if that of the page stands there


Result = TypeVar("Result")


def cached_per_guide(
    function: "Callable[[Guide], Result]",
) -> "Callable[[Guide], Result]":
    """Keep with a guide what a function gives for it."""

    @wraps(function)
    def kept(guide: "Guide") -> Result:
        if function not in guide.cache:
            guide.cache[function] = function(guide)
        given: Result = guide.cache[function]
        return given

    return kept


class Guide:
    """All pages of a project as it stands, in the order of its navigation.

    A build or a check makes one guide, which keeps what was read and computed for it and
    the programs that draw and answer. `told` has texts, by path, that `text` returns in
    place of what files say; code that runs is always that of the files.
    """

    def __init__(
        self, root: Path, text_overrides: dict[Path, str] | None = None
    ) -> None:
        self.root = root
        self._texts = dict(
            text_overrides or {}
        )  # others as each was when it was asked for first
        self._read: dict[Path, Page] = {}
        self.cache: dict[Any, Any] = {}  # what functions gave, by function
        self.mkdocs_settings = self._parsed(Path("mkdocs.yml"), _load_settings)
        pyproject = self._parsed(Path("pyproject.toml"), tomllib.loads)
        self.weave_settings: dict[str, Any] = pyproject.get("tool", {}).get("weave", {})
        self.navigation = dict(_navigation_entries(self.mkdocs_settings.get("nav", [])))
        # What answers for the project's Python, which it imports anew
        self.project_server = JsonProcess(
            root, sys.executable, "-m", "weave.project_server"
        )

    def _parsed(self, path: Path, parse: Callable[[str], Any]) -> dict[str, Any]:
        """Return what a file of settings says; raise WeaveError if it can't be read."""
        try:
            settings = parse(self.read_text(path)) or {}
        except (yaml.YAMLError, tomllib.TOMLDecodeError) as error:
            raise WeaveError(f"cannot be read: {error}", path) from None
        if not isinstance(settings, dict):
            raise WeaveError("does not hold settings, as 'name: value'", path)
        return settings

    @cached_property
    def drawing_process(self) -> JsonProcess | None:
        """What draws, if it is built."""
        return start_drawing_process(self.root)

    @cached_property
    def python_archive_hash(self) -> str:
        """The name of the Python that readers' browsers run, as it was published."""
        return hash_python_archive(self.root)

    @cached_property
    def page_paths(self) -> list[Path]:
        """Every page, those of the navigation first, in its order."""
        return self._in_order("docs/**/*.md")

    @cached_property
    def lab_paths(self) -> list[Path]:
        """Every lab: a notebook that is a page, in the order of the navigation."""
        return self._in_order("docs/labs/*.ipynb")

    def _in_order(self, pattern: str) -> list[Path]:
        found = set(self.find_files(pattern))
        in_order = [Path("docs", path) for path in self.navigation]
        return [p for p in in_order if p in found] + sorted(found.difference(in_order))

    def find_files(self, *patterns: str) -> list[Path]:
        """Return the files of some names; a link that leads nowhere is none."""
        found = [path for pattern in patterns for path in self.root.glob(pattern)]
        return sorted(path.relative_to(self.root) for path in found if path.is_file())

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """Every page, read."""
        return {path: self.read_page(path) for path in self.page_paths}

    def read_page(self, path: Path) -> Page:
        """Read one page, or a lab as one; `path` is relative to the project."""
        if path not in self._read:
            text = self.read_text(path)
            if path.suffix == ".ipynb":
                text = labs.notebook_to_markdown(labs.parse_notebook(text, path), path)
            self._read[path] = parse_page(path, text)
        return self._read[path]

    def read_text(self, path: Path) -> str:
        """Return the text of a file of the project; raise WeaveError if it has none."""
        if path not in self._texts:
            self._texts[path] = read_project_file(self.root, path)
        return self._texts[path]

    @cached_property
    def source_paths(self) -> list[Path]:
        """The files of the package."""
        return self.find_files("microgpt/**/*.py", "microgpt/**/*.c")

    @cached_property
    def program_paths(self) -> list[Path]:
        """The programs of the ladder."""
        return self.find_files("snippets/step*.py")

    def read_lines(self, source: Path) -> list[str]:
        """Return the lines of a source file."""
        return self.read_text(source).splitlines()

    @cached_property
    def page_paths_by_name(self) -> dict[str, list[Path]]:
        """What pages are called, in small letters, with whom: titles, and in the menu."""
        found: dict[str, list[Path]] = {}
        for path in [*self.page_paths, *self.lab_paths]:
            section = self.navigation_entry(path)
            names = {strip_markup(self.read_page(path).title())}
            if section:  # a link may also say the step that its page belongs to
                names |= {section.menu_title, section.step_title.partition(" · ")[2]}
            for name in names - {""}:
                found.setdefault(name.lower(), []).append(path)
        return found

    def numbered_title(self, path: Path) -> str:
        """Return what a page is called among others: `2.5 Backward` with its step."""
        title = strip_markup(self.pages[path].title())
        section = self.navigation_entry(path)
        if section and (step := re.search(r"\d+", section.step_title)):
            return f"{step[0]}.{section.number} {title}"
        return title

    def navigation_entry(self, path: Path) -> NavigationEntry | None:
        """Return the place of a page in the navigation, if it has one."""
        return self.navigation.get(path.relative_to("docs").as_posix())

    def next_page_path(self, path: Path) -> Path | None:
        """Return the page that comes next in the navigation, if there is one."""
        order = [Path("docs", each) for each in self.navigation]
        place = order.index(path) + 1 if path in order else len(order)
        return order[place] if place < len(order) else None

    def source_page_path(self, source: Path) -> Path:
        """Return the page of a source file: `engines-dot.md` for `engines/dot.py`."""
        parts = source.with_suffix("").parts[1:]
        named = [part.strip("_") for part in parts if part != "__init__"]
        return SOURCE_PAGES_FOLDER / f"{'-'.join(named) or 'package'}.md"


def read_project_file(root: Path, path: Path) -> str:
    """Return what a file of a project says now; raise WeaveError if it has no text."""
    try:
        return (root / path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise WeaveError(f"cannot be read: {error.strerror}", path) from None
    except UnicodeDecodeError:
        raise WeaveError("cannot be read: it is not UTF-8 text", path) from None


def relative_link(source: Path, target: Path, *, finished: bool) -> str:
    """Return a link from a page to another page or file under docs/.

    Builders want it differently: `finished`, between the directories that the site
    serves (`../value/`), or as an author writes it, between files (`value.md`).
    """
    if finished:
        there, here = url_path(target), url_path(source)
        return posixpath.relpath(there or ".", here or ".") + "/" * is_page_path(target)
    return posixpath.relpath(target.as_posix(), source.parent.as_posix())


def is_page_path(path: Path) -> bool:
    """Tell whether a file of docs/ is shown as a page: Markdown, or a lab."""
    lab = path.suffix == ".ipynb" and path.parent == Path("docs", "labs")
    return lab or path.suffix == ".md"


def url_path(path: Path) -> str:
    """Return the address of a page or file of docs/, below the site's own."""
    inside = path.relative_to("docs").as_posix()
    if is_page_path(path):
        inside = re.sub(r"\.\w+$", "/", inside)
        inside = re.sub(r"(^|/)index/$", r"\1", inside)
    return quote(inside)


def _navigation_entries(
    nav: list[Any], step: str = ""
) -> Iterator[tuple[str, NavigationEntry]]:
    entries = [e if isinstance(e, dict) else {"": e} for e in nav]
    named = [pair for entry in entries for pair in entry.items()]
    pages = [target for _, target in named if isinstance(target, str)]
    for title, target in named:
        if isinstance(target, str):
            place = pages.index(target) + 1
            yield target, NavigationEntry(step, place, len(pages), title)
        else:
            yield from _navigation_entries(target, title)


class _SettingsLoader(yaml.CSafeLoader):
    """Reads mkdocs.yml, whose tags name Python objects that nothing here needs."""


_SettingsLoader.add_multi_constructor("", lambda loader, suffix, node: None)


def _load_settings(text: str) -> dict[str, Any]:
    settings: dict[str, Any] = yaml.load(text, _SettingsLoader)
    return settings
