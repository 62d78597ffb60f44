"""Every number in prose is computed, and the built site shows it."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.promises.site import ROOT, Site
from weave.counts import names
from weave.guide import Guide
from weave.prose.numbers import COUNTED, Number, numbers
from weave.text import amount, claims

# What readers see of programs beside pages: listings, and the pictures to play with.
PROGRAMS = [
    *sorted(ROOT.glob("microgpt/**/*.py")),
    *sorted(ROOT.glob("snippets/*.py")),
    *sorted(
        {*ROOT.glob("web/widgets/**/[!t]*.py")}
        - {ROOT / "web/widgets/what_if/changes.py"}  # whose texts are C
    ),
    *sorted(ROOT.glob("web/widgets/*/*.tsx")),
    *sorted(ROOT.glob("web/parts/*.tsx")),
]
# What other files may speak of: defaults, limits, and the original's names
SETTLED = [ROOT / "microgpt" / name for name in ("cli/options.py", "sampling.py")]
ORIGINAL = json.loads((ROOT / "docs/data/original.json").read_text("utf-8"))["names"]
# Code within words, another's version or section, and what is an example.
NO_CLAIM = re.compile(
    r"`[^`]*`|\"[^\"]*=[^\"]*\"|\{[^}]*\}|SHA-256|https:\S+|Python 3\.\d+|section [\d.]+"
)
SHOWN = re.compile(r'"([^"]*)"|`([^`]*)`|>([^<>{}=]*)<|^\s*([A-Z][^<>{}=;"`]*)$')
LITERAL = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e-?\d+)?")


def test_numbers_of_the_built_site_are_those_of_the_markdown(
    site: Site, guide: Guide
) -> None:
    """Which are what their expressions give: `pytest docs` compares them."""
    for page in site.pages:
        shown = [
            (str(d["value"]), d.get_text())
            for d in page.article.select("data:not(.recap *)")
        ]
        stated = [
            (
                n.expression,
                counted(guide, n) if n.text == COUNTED else n.text.strip("`"),
            )
            for n in numbers(page.source)
        ]
        assert shown == stated, page.source.path


def counted(guide: Guide, number: Number) -> str:
    return f"{eval(number.expression, names(guide)):,}"


def words_of(file: Path) -> Iterator[str]:
    """Yield docstrings, comments and other texts of a program."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".tsx":
        lines = [line for line in text.splitlines() if not re.match(r"\s*[/*]", line)]
        shown = ("".join(m.groups("")) for line in lines for m in SHOWN.finditer(line))
        said = (re.sub(r"\$\{[^}]*\}", " ", words) for words in shown)
        # Neither code nor what draws
        yield from (w for w in said if re.search("[a-z]{3}", w) and "=" not in w)
        return
    nodes = [*ast.walk(parsed(file))]
    texts = [node for node in nodes if isinstance(node, ast.Constant)]
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    in_widgets = "widgets" in file.parts  # whose docstrings and comments nobody sees
    for node in texts:
        if isinstance(node.value, str) and not (in_widgets and id(node) in alone):
            yield node.value
    if not in_widgets:
        yield from re.findall("^ *# .*|  # .*", text, re.MULTILINE)


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def numbers_of(file: Path) -> frozenset[float]:
    """Return the numbers that a program computes with."""
    if not file.exists():
        return frozenset()
    if file.suffix == ".tsx":
        text = file.read_text(encoding="utf-8")
        text = "\n".join(SHOWN.sub("", line) for line in text.splitlines())
        found = [literal.replace("_", "") for literal in LITERAL.findall(text)]
        return frozenset(map(float, found))
    constants = [n.value for n in ast.walk(parsed(file)) if isinstance(n, ast.Constant)]
    return frozenset(c for c in constants if isinstance(c, int | float))


def unfounded(words: str, numbers: frozenset[float]) -> list[str]:
    """Return the numbers of a sentence that are not among those of its program."""
    if not re.search(r"[a-z]{2,} ", words):
        return []
    found = claims(NO_CLAIM.sub(" ", words))
    return [c for c in found if amount(c) not in numbers]


def test_the_words_of_programs_state_the_numbers_of_their_code() -> None:
    wrong = {}
    for file in PROGRAMS:
        beside = file.with_name("model.py")  # what a picture shows, Python computes
        known = map(numbers_of, [file, beside, *SETTLED])
        numbers = frozenset({ORIGINAL}).union(*known)
        wrong[file] = [n for words in words_of(file) for n in unfounded(words, numbers)]
    assert {file.name: found for file, found in wrong.items() if found} == {}


def test_a_program_of_the_ladder_says_which_step_it_is() -> None:
    for file in ROOT.glob("snippets/step*.py"):
        number = file.stem.removeprefix("step")
        assert (ast.get_docstring(parsed(file)) or "").startswith(f"Step {number}: ")


def test_a_number_that_no_code_has_is_found() -> None:
    assert unfounded("at most 160 letters, then 2,000", frozenset({160})) == ["2,000"]
    assert unfounded("four of 0.5 names in Step 3", frozenset({4})) == ["0.5"]
    assert unfounded("as `range(99)`, in Python 3.12 {1.25}", frozenset()) == []
