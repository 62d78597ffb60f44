"""Names in code spans, such as `Value.grad` or `microgpt.nn`: the project must have them."""

import ast
import re
from collections.abc import Iterator

from weave.errors import WeaveError
from weave.fences import prose_lines
from weave.guide import Guide, cached_per_guide
from weave.markdown_text import CODE_SPAN, WAIVED_NUMBER
from weave.page import Page
from weave.source_symbols import report_syntax_errors

PROJECT_MODULE = r"(?:microgpt|snippets)(?:\.\w+)*"
DOTTED_NAME = re.compile(rf"\b({PROJECT_MODULE}|[A-Z]\w*)\.([^\W\d]\w*)")
IMPORT_STATEMENT = re.compile(rf"from ({PROJECT_MODULE}) import ([\w, ]+)")
PROJECT_FILE_PATH = re.compile(
    r"(?:microgpt|snippets|docs|weave|tests|bench|web)/[\w./-]*\w"
)


def check_code_names(guide: Guide, page: Page) -> Iterator[WeaveError]:
    """Yield errors for names of files, classes and modules that don't exist."""
    names_by_owner = _names_by_owner(guide)
    for line, text in prose_lines(page):
        for span in CODE_SPAN.finditer(WAIVED_NUMBER.sub(" ", text)):
            code = span[0].strip("` ")
            mentioned = DOTTED_NAME.findall(code)
            for module, names in IMPORT_STATEMENT.findall(code):
                mentioned += [(module, name) for name in re.split(r"[, ]+", names)]
            for owner, name in mentioned:
                if name not in names_by_owner.get(owner, {name}):
                    yield page.error(
                        f"there is no {name!r} in {owner}: correct `{owner}.{name}`",
                        line,
                    )
            if PROJECT_FILE_PATH.fullmatch(code) and not (guide.root / code).exists():
                yield page.error(f"there is no file `{code}`: correct the path", line)


@cached_per_guide
def _names_by_owner(guide: Guide) -> dict[str, set[str]]:
    """Return all names that occur in each module and in each class of the project.

    A package also has its modules, and a class the names of `object`. A class that
    derives from another is left out, because any name may be inherited.
    """
    names_by_owner: dict[str, set[str]] = {}
    for path in guide.find_files("microgpt/**/*.py", "snippets/**/*.py"):
        with report_syntax_errors(path):
            tree = ast.parse(guide.read_text(path))
        parts = path.with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__")
        names_by_owner.setdefault(module, set()).update(_names_in(tree))
        package, _, last_part = module.rpartition(".")
        names_by_owner.setdefault(package, set()).add(last_part)
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.bases:
                names = {*dir(object), *_names_in(node)}
                names_by_owner.setdefault(node.name, set()).update(names)
    return names_by_owner


def _names_in(tree: ast.AST) -> set[str]:
    fields = ("name", "asname", "id", "attr", "arg")
    return {str(getattr(n, f, "")) for n in ast.walk(tree) for f in fields}
