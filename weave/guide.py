"""The guide as a whole: its pages in reading order, its navigation, its addresses."""

from __future__ import annotations

import posixpath
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote
from weakref import WeakKeyDictionary

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
    """The position of a page in the navigation of mkdocs.yml."""

    step_title: str  # of its group, such as `Step 2 · Backpropagation`, or ""
    number: int  # within the group, from 1
    count: int  # of the pages of the group
    menu_title: str = ""  # "" if the menu shows the page's own title


Result = TypeVar("Result")


def cached_per_guide(function: Callable[[Guide], Result]) -> Callable[[Guide], Result]:
    """Cache the result of a function of a guide for as long as the guide lives."""
    results = WeakKeyDictionary[Guide, Result]()

    @wraps(function)
    def cached(guide: Guide) -> Result:
        if guide not in results:
            results[guide] = function(guide)
        return results[guide]

    return cached


class Guide:
    """All pages of a project, in the order of its navigation.

    Each build or check makes one guide. It caches what was read and computed, so that
    all of the build sees one version of each file, and owns two helper processes.
    Every path that its methods take or return is relative to the project.

    Attributes:
        root: The folder of the project.
        mkdocs_settings: The settings of mkdocs.yml.
        weave_settings: The table `[tool.weave]` of pyproject.toml.
        navigation: The entries of the navigation by path below docs/, in order.
        python_process: The process that runs the project's Python; it starts at the
            first request, so it imports the files as they are then.
    """

    def __init__(
        self, root: Path, text_overrides: dict[Path, str] | None = None
    ) -> None:
        """Read the settings of a project.

        Args:
            root: The folder of the project.
            text_overrides: Texts that `read_text` returns in place of what these files
                say. Python code that runs is always that of the files.

        Raises:
            WeaveError: mkdocs.yml or pyproject.toml cannot be read.
        """
        self.root = root
        self._texts = dict(text_overrides or {})
        self._pages: dict[Path, Page] = {}
        load_yaml = partial(yaml.load, Loader=_TagIgnoringYamlLoader)
        self.mkdocs_settings = self._read_settings(Path("mkdocs.yml"), load_yaml)
        pyproject = self._read_settings(Path("pyproject.toml"), tomllib.loads)
        self.weave_settings: dict[str, Any] = pyproject.get("tool", {}).get("weave", {})
        self.navigation = dict(_navigation_entries(self.mkdocs_settings.get("nav", [])))
        server = (sys.executable, "-m", "weave.project_server")
        self.python_process = JsonProcess(root, *server)

    def _read_settings(self, path: Path, parse: Callable[[str], Any]) -> dict[str, Any]:
        try:
            settings = parse(self.read_text(path)) or {}
        except (yaml.YAMLError, tomllib.TOMLDecodeError) as error:
            raise WeaveError(f"cannot be parsed: {error}", path) from None
        if not isinstance(settings, dict):
            got = type(settings).__name__
            raise WeaveError(f"expected 'name: value' settings, got a {got}", path)
        return settings

    @cached_property
    def drawing_process(self) -> JsonProcess | None:
        """The process of Node that draws diagrams, formulas and widgets, if built."""
        return start_drawing_process(self.root)

    @cached_property
    def python_archive_hash(self) -> str:
        """A short hash of the Python archive that readers' browsers run."""
        return hash_python_archive(self.root)

    @cached_property
    def page_paths(self) -> list[Path]:
        """The paths of all Markdown pages: navigation order, then the others."""
        return self._find_in_order("docs/**/*.md")

    @cached_property
    def lab_paths(self) -> list[Path]:
        """The paths of all labs, notebooks that are pages, in navigation order."""
        return self._find_in_order("docs/labs/*.ipynb")

    def _find_in_order(self, pattern: str) -> list[Path]:
        paths = set(self.find_files(pattern))
        in_order = [Path("docs", path) for path in self.navigation]
        return [p for p in in_order if p in paths] + sorted(paths.difference(in_order))

    def find_files(self, *patterns: str) -> list[Path]:
        """Return the files that glob patterns match, sorted; skip broken links."""
        paths = [path for pattern in patterns for path in self.root.glob(pattern)]
        return sorted(path.relative_to(self.root) for path in paths if path.is_file())

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """Every Markdown page, parsed, by path."""
        return {path: self.read_page(path) for path in self.page_paths}

    def read_page(self, path: Path) -> Page:
        """Return a page, parsed; a lab is converted to Markdown first.

        Raises:
            WeaveError: The file cannot be read, or the parser refuses it.
        """
        if path not in self._pages:
            text = self.read_text(path)
            if path.suffix == ".ipynb":
                text = labs.notebook_to_markdown(labs.parse_notebook(text, path), path)
            self._pages[path] = parse_page(path, text)
        return self._pages[path]

    def read_text(self, path: Path) -> str:
        """Return the text of a file, as it was when it was first read.

        Raises:
            WeaveError: The file is missing, or is not UTF-8 text.
        """
        if path not in self._texts:
            self._texts[path] = read_project_file(self.root, path)
        return self._texts[path]

    @cached_property
    def package_source_paths(self) -> list[Path]:
        """The paths of the package's source files, in Python and C."""
        return self.find_files("microgpt/**/*.py", "microgpt/**/*.c")

    @cached_property
    def step_program_paths(self) -> list[Path]:
        """The paths of the programs of all steps."""
        return self.find_files("snippets/step*.py")

    @property
    def shown_source_paths(self) -> list[Path]:
        """The paths of the source files that have a page."""
        return [*self.package_source_paths, *self.step_program_paths]

    def waiver_reason(self, source: Path) -> str:
        """Return why no page needs to list a file, from `[tool.weave.waived]`, or ""."""
        return str(self.weave_settings.get("waived", {}).get(source.as_posix(), ""))

    def read_lines(self, path: Path) -> list[str]:
        """Return the lines of a file."""
        return self.read_text(path).splitlines()

    @cached_property
    def page_paths_by_title(self) -> dict[str, list[Path]]:
        """The paths of the pages that have a title, by the title in lower case.

        A page has its own title, its title in the menu, and the title of its step.
        """
        paths: dict[str, list[Path]] = {}
        for path in [*self.page_paths, *self.lab_paths]:
            entry = self.navigation_entry(path)
            titles = {strip_markup(self.read_page(path).title())}
            if entry:
                titles |= {entry.menu_title, entry.step_title.partition(" · ")[2]}
            for title in titles - {""}:
                paths.setdefault(title.lower(), []).append(path)
        return paths

    def numbered_title(self, path: Path) -> str:
        """Return the title of a page with its number, such as `2.5 Backward`."""
        title = strip_markup(self.pages[path].title())
        entry = self.navigation_entry(path)
        step = re.search(r"\d+", entry.step_title) if entry else None
        return f"{step[0]}.{entry.number} {title}" if entry and step else title

    def navigation_entry(self, path: Path) -> NavigationEntry | None:
        """Return the position of a page in the navigation, or None if it has none."""
        return self.navigation.get(path.relative_to("docs").as_posix())

    def next_page_path(self, path: Path) -> Path | None:
        """Return the page after this one in the navigation, or None."""
        order = [Path("docs", each) for each in self.navigation]
        index = order.index(path) + 1 if path in order else len(order)
        return order[index] if index < len(order) else None

    def source_page_path(self, source: Path) -> Path:
        """Return the path of the page that shows a source file.

        `microgpt/engines/dot.py` has the page `engines-dot.md`.
        """
        parts = source.with_suffix("").parts[1:]
        names = [part.strip("_") for part in parts if part != "__init__"]
        return SOURCE_PAGES_FOLDER / f"{'-'.join(names) or 'package'}.md"


def read_project_file(root: Path, path: Path) -> str:
    """Return the present text of a file, whose path is relative to the project.

    Raises:
        WeaveError: The file is missing, or is not UTF-8 text.
    """
    try:
        return (root / path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise WeaveError(f"cannot be read: {error.strerror}", path) from None
    except UnicodeDecodeError:
        raise WeaveError("cannot be read: save it as UTF-8 text", path) from None


def relative_link(source: Path, target: Path, *, between_urls: bool) -> str:
    """Return a relative link from a page to another page or file of docs/.

    It leads between URLs of the site (`../value/`), which builders leave alone, or between
    files (`value.md`), which they resolve.
    """
    if between_urls:
        end, start = url_path(target), url_path(source)
        return posixpath.relpath(end or ".", start or ".") + "/" * is_page_path(target)
    return posixpath.relpath(target.as_posix(), source.parent.as_posix())


def is_page_path(path: Path) -> bool:
    """Return whether a file of docs/ is shown as a page: Markdown, or a lab."""
    is_lab = path.suffix == ".ipynb" and path.parent == Path("docs", "labs")
    return is_lab or path.suffix == ".md"


def url_path(path: Path) -> str:
    """Return the URL of a page or file of docs/, relative to the site's root."""
    url = path.relative_to("docs").as_posix()
    if is_page_path(path):
        url = re.sub(r"\.\w+$", "/", url)
        url = re.sub(r"(^|/)index/$", r"\1", url)
    return quote(url)


def _navigation_entries(
    nav: list[Any], step_title: str = ""
) -> Iterator[tuple[str, NavigationEntry]]:
    entries = [e if isinstance(e, dict) else {"": e} for e in nav]
    pairs = [pair for entry in entries for pair in entry.items()]
    pages = [target for _, target in pairs if isinstance(target, str)]
    for title, target in pairs:
        if isinstance(target, str):
            number = pages.index(target) + 1
            yield target, NavigationEntry(step_title, number, len(pages), title)
        else:
            yield from _navigation_entries(target, title)


class _TagIgnoringYamlLoader(yaml.CSafeLoader):
    """Loads mkdocs.yml, and replaces tags that name Python objects by None."""


_TagIgnoringYamlLoader.add_multi_constructor("", lambda loader, suffix, node: None)
