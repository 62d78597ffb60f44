"""What README, CONTRIBUTING and CHANGELOG name is there: words, files, fences, links.

They are no pages, so `weave check` does not read them. What they tell to type is read in
`tests/promises/test_commands.py`.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from microgpt.engines import ENGINES
from tests.commands import PROJECT, code_spans
from tests.promises.site import ROOT
from weave.guide import Guide
from weave.kinds import KINDS
from weave.kinds.block import WIDTH
from weave.source import find

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS = ("bench", "docs", "microgpt", "snippets", "tests", "weave", "web", ".github")
BUILT = {"node_modules", "dist", "assets", "data", "downloads"}
TEXTS = {".css", ".html", ".ipynb", ".js", ".json", ".md", ".mjs", ".py", ".toml"}
TEXTS |= {".ts", ".tsx", ".yml"}
FILE = re.compile(r"[\w.-]*/[\w./-]*|[\w.-]+\.(?:css|json|md|mjs|py|toml|tsx?|yml)\b")


def lines_of(name: str) -> list[str]:
    return (ROOT / name).read_text(encoding="utf-8").splitlines()


def code_of(name: str) -> Iterator[str]:
    """Yield what a document sets as code: spans, and indented lines."""
    for line in lines_of(name):
        yield from [line] if line.startswith("    ") else code_spans(line)


@cache
def files() -> list[Path]:
    inside = [f for folder in FOLDERS for f in (ROOT / folder).glob("**/*")]
    every = [*ROOT.glob("*.*"), *inside]
    return [f for f in every if f.is_file() and not BUILT & {*f.parts}]


@cache
def words() -> set[str]:
    """Return every word of the project's files, and of their names."""
    found: set[str] = set()
    for file in files():
        found.update(re.findall(r"\w+", file.relative_to(ROOT).as_posix()))
        if file.suffix in TEXTS and file.name not in (*DOCUMENTS, Path(__file__).name):
            found.update(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    return found


def missing(code: str) -> list[str]:
    """Return words that no file has, and files that are not there."""
    plain = re.sub(r"\w*NAME\w*", "words", code)  # stands for any
    absent = [word for word in re.findall(r"\w+", plain) if word not in words()]
    named = FILE.findall(re.sub(r"</?\w+|\S*(NAME|\.venv)\S*", "", code))
    is_example = code.startswith("    ")  # which may speak of files to be written
    return absent + [name for name in named if not is_example and not there(name)]


def there(name: str) -> bool:
    if (ROOT / name).exists():
        return True
    places = (f"/{file.relative_to(ROOT).as_posix()}" for file in files())
    end = "" if name.endswith("/") else "$"
    return any(re.search(f"/{re.escape(name)}{end}", place) for place in places)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_a_document_names_in_code_is_in_the_project(name: str) -> None:
    found = {code: missing(code) for code in code_of(name)}
    assert {code: lacks for code, lacks in found.items() if lacks} == {}


def test_contributors_are_shown_fences_that_pages_may_have() -> None:
    fences = re.findall(
        "^ +```(.+)$", "\n".join(lines_of("CONTRIBUTING.md")), re.MULTILINE
    )
    known = {kind.language for kind in KINDS}
    assert fences
    assert f"at most {WIDTH}" in " ".join(lines_of("CONTRIBUTING.md"))
    assert [language for language in fences if language not in known] == []


def test_documents_name_each_engine_the_licence_and_symbols_that_are_there() -> None:
    engines = "\n".join(lines_of("README.md")).partition("chooses what computes:")[2]
    assert code_spans(engines.partition("need")[0]) == list(ENGINES)
    assert PROJECT["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("MIT License\n")
    assert "[MIT](LICENSE)" in lines_of("README.md")[-1]
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert "\ncopyright: MIT licence\n" in settings
    (about,) = re.findall("^site_description: (.+)$", settings, re.MULTILINE)
    theme = (ROOT / "web" / "theme" / "main.html").read_text("utf-8")
    (alternative,) = re.findall("image:alt.+", theme)
    assert about[1:] in alternative
    symbols = re.findall(
        r"\b(?:microgpt|snippets)\.\w+:[\w.]+",
        (ROOT / "CONTRIBUTING.md").read_text("utf-8"),
    )
    assert symbols
    for symbol in symbols:
        find(ROOT, symbol)


def test_the_steps_of_the_menu_are_counted_from_0(guide: Guide) -> None:
    numbers = [step.split()[1] for step in guide.steps]
    assert numbers == [str(place) for place in range(len(numbers))]
    assert len(numbers) > 5


@pytest.mark.parametrize(
    "lie",
    ["weave/maps.py", "python -m weave chekc", "web/theme/early.ts", "[tool.weaves]"],
)
def test_a_name_that_nothing_has_is_found(lie: str) -> None:
    assert missing(lie)
