"""Names in code spans, such as `Value.grad` or `microgpt.nn`: the project has them."""

import ast
import re
from collections.abc import Iterator

from weave.corrections import Finding
from weave.fences import prose_lines
from weave.guide import Guide, cached_per_guide
from weave.markdown_text import CODE_SPAN, WAIVED_NUMBER
from weave.page import Page
from weave.results import RunResults
from weave.source_symbols import report_syntax_errors

OURS = r"(?:microgpt|snippets)(?:\.\w+)*"
DOTTED = re.compile(rf"\b({OURS}|[A-Z]\w*)\.([^\W\d]\w*)")
IMPORTED = re.compile(rf"from ({OURS}) import ([\w, ]+)")
FILE = re.compile(r"(?:microgpt|snippets|docs|weave|tests|bench|web)/[\w./-]*\w")


def check(guide: Guide, page: Page, results: RunResults) -> Iterator[Finding]:
    """Find files, and names of classes and modules, that the project lacks."""
    known = _members(guide)
    for line, text in prose_lines(page):
        for span in CODE_SPAN.finditer(WAIVED_NUMBER.sub(" ", text)):
            code = span[0].strip("` ")
            named = DOTTED.findall(code)
            for module, names in IMPORTED.findall(code):
                named += [(module, name) for name in re.split(r"[, ]+", names)]
            for owner, name in named:
                if name not in known.get(owner, {name}):
                    what = f"'{owner}.{name}' stands in a code span but in no code"
                    yield page.error(what, line)
            if FILE.fullmatch(code) and not (guide.root / code).exists():
                yield page.error(f"there is no file {code!r}", line)


@cached_per_guide
def _members(guide: Guide) -> dict[str, set[str]]:
    """Return the names that stand in each module and in each class of the project.

    A folder has its files, too, and every object what Python gives it. A class that
    derives from another is left out: that may have any name.
    """
    found: dict[str, set[str]] = {}
    for path in guide.find_files("microgpt/**/*.py", "snippets/**/*.py"):
        with report_syntax_errors(path):
            tree = ast.parse(guide.read_text(path))
        parts = path.with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found.setdefault(name, set()).update(_names(tree))
        folder, _, last = name.rpartition(".")
        found.setdefault(folder, set()).add(last)
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.bases:
                names = {*dir(object), *_names(node)}
                found.setdefault(node.name, set()).update(names)
    return found


def _names(tree: ast.AST) -> set[str]:
    fields = ("name", "asname", "id", "attr", "arg")
    return {str(getattr(n, f, "")) for n in ast.walk(tree) for f in fields}
