"""What is wrong on a page and only its author can mend."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from weave import api, commands, derivatives, numbers
from weave.changes import read_changes
from weave.errors import WeaveError
from weave.guide import Guide
from weave.ladder import read_ladder
from weave.links import misnamed
from weave.names import unknown_labels, unknown_names
from weave.page import CODE_SPAN, Block, Fence, Page, can_stand_in_a_fence
from weave.report import short
from weave.run import Results
from weave.source import UnknownSymbol
from weave.widgets import result_of

WIDTH = 72  # columns of code that a chapter shows
COMMENT = re.compile(r"^\s*#.*|  #.*", re.MULTILINE)
LITERAL = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?")
# A share times a hundred; a whole number is a count, unless it was rounded
OF_A_HUNDRED = re.compile(r"(?P<rounded>round\()?100(?:\.0)? ?\*(?!\*)|.*[^*]\* ?100$")
PERCENT = re.compile(
    r"\**(?: (?:to|and|or) \**<data [^>]*>[^<]*</data>\**)?\s*(?:%|percent\b)"
)
STATED = re.compile(
    r"\\partial|\\nabla|\\[dt]?frac\s*\{\s*(?:\\mathrm)?\s*\{?d(?:\}|\b|\s*[a-zA-Z]\s*\})"
    r"|\bd[a-zA-Z]\s*/\s*d[a-zA-Z]|[a-zA-Z]'\s*\("
)


def mistakes(guide: Guide, page: Page, results: Results) -> Iterator[WeaveError]:
    """Yield what only an author can mend."""
    for line, message in results.failures.items():
        yield page.error(message, line)
    for number in page.numbers:
        value = results.answers.get((number.line, number.expression))
        if numbers.is_hard_coded(number.expression):
            message = f"{number.expression!r} computes nothing: name what it is about"
            yield page.error(message, number.line)
        elif value is not None:
            try:
                numbers.write_like(number.text, value)
            except ValueError as error:
                yield page.error(f"{number.expression} {error}", number.line)
        share = OF_A_HUNDRED.match(number.expression)
        if share and (share["rounded"] or isinstance(value, float | str)):
            after = page.lines[number.line - 1][number.end :].removeprefix("</data>")
            if not PERCENT.match(after):
                message = (
                    f"{number.text!r} is a share of a hundred: % or percent follows"
                )
                yield page.error(message, number.line)
    for line, text in numbers.bare_numbers(page):
        yield page.error(
            f"{text!r} is a number that nothing computes: write "
            '<data value="EXPRESSION">…</data>, or <span data-waive="the reason">',
            line,
        )
    for place, text in enumerate(page.lines[: page.front_matter], 1):
        if not re.fullmatch(r"---|search:|\s+boost: \d.*|", text):
            message = "above the title stands how the search ranks this page, no more"
            yield page.error(message, place)
    for line, name in unknown_names(guide, page):
        yield page.error(f"{name!r} stands in a code span but in no code", line)
    for line, label in unknown_labels(guide, page):
        yield page.error(f"no picture of this page has {label!r} to press", line)
    for line, message in numbers.miscounted(page):
        yield page.error(message, line)
    for block in page.blocks:
        failed = block.fence.line in results.failures
        printed = results.outputs.get(block.fence.line, "")
        if not failed and not can_stand_in_a_fence(printed):
            message = (
                f"the block prints {short(printed)}: end the last line, and print "
                "neither ``` nor other line ends, which no fence can hold"
            )
            yield page.error(message, block.fence.line)
        for offset, text in enumerate(block.fence.body, 1):
            if len(text) > WIDTH:
                yield page.error(f"over {WIDTH} columns", block.fence.line + offset)
        yield from _comments(page, block)
    for fence in page.fences:
        yield from _typed_pictures(page, fence)
        yield from _captions(page, fence)
        yield from _fence_mistakes(guide, page, fence)
    yield from _formulas(page)
    # Last, for this looks at all pages, and stops where one cannot be read.
    for line, message in misnamed(guide, page):
        yield page.error(message, line)


def _comments(page: Page, block: Block) -> Iterator[WeaveError]:
    """Find numbers in comments and docstrings that the block's program does not have."""
    code = block.whole_program()
    for _, docstring in _docstrings(code):
        code = code.replace(docstring, "")
    code = COMMENT.sub("", code)
    known = {float(found.replace("_", "")) for found in LITERAL.findall(code)}
    said = list(_docstrings(block.fence.text))
    for offset, text in enumerate(block.fence.body, 1):
        said += [(offset, comment) for comment in COMMENT.findall(text)]
    for offset, words in said:
        for number in numbers.claims(CODE_SPAN.sub(" ", words)):
            if not known.intersection(numbers.meant_by(number)):
                message = f"{number!r} is a number that the program does not have"
                yield page.error(message, block.fence.line + offset)


def _docstrings(code: str) -> Iterator[tuple[int, str]]:
    """Yield line and source of each docstring; of code that does not run, none."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return
    for node in nodes:
        match node:
            case (
                ast.Module()
                | ast.FunctionDef()
                | ast.AsyncFunctionDef()
                | ast.ClassDef()
            ) if ast.get_docstring(node):
                first = node.body[0]
                yield first.lineno, ast.get_source_segment(code, first) or ""


def _typed_pictures(page: Page, fence: Fence) -> Iterator[WeaveError]:
    """Find graphs and plots of what was typed."""
    for directive in fence.directives:
        if directive.name in ("graph", "plot"):
            for part in _parts(directive.argument):
                if numbers.is_hard_coded(part):
                    message = f"{part!r} computes nothing: name what it is about"
                    yield page.error(message, directive.line)


def _captions(page: Page, fence: Fence) -> Iterator[WeaveError]:
    """Find numbers in the words around a picture, and losses in another unit."""
    words: list[tuple[int, str]] = []
    if fence.language == "figure":  # of which only the caption was written by hand
        words = [(1, fence.body[0])]
    elif fence.language in ("plot", "ladder"):
        for offset, text in enumerate(fence.body, 1):
            key, _, said = text.partition(":")
            if key not in ("data", "looks"):  # not shown: a file, and names of series
                words.append((offset, said))
            if key == "y" and "loss" in said and not said.endswith("loss (nats)"):
                message = f"{said.strip()!r} is a loss, and losses are in (nats)"
                yield page.error(message, fence.line + offset)
    for offset, said in words:
        for number in numbers.claims(said):
            message = f"{number!r} is a number that nothing computes"
            yield page.error(message, fence.line + offset)


def _parts(expression: str) -> list[str]:
    """Return the series of a plot, each by itself, or the expression whole."""
    try:
        tree = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return [expression]  # reported where it was evaluated
    if isinstance(tree, ast.Dict):
        return [ast.unparse(series) for series in tree.values]
    return [expression]


def _fence_mistakes(guide: Guide, page: Page, fence: Fence) -> Iterator[WeaveError]:
    try:
        if fence.directive("drawn"):
            if re.search(r"\b(data|grad) ?[-\d]", fence.text):
                message = "a diagram that shows data or gradients is drawn from a graph"
                yield page.error(message, fence.line)
            for label in re.findall(r'"[^"]*"|\|[^|]*\|', fence.text):
                for said in numbers.claims(label):
                    message = f"{said!r} is a number that nothing computes"
                    yield page.error(message, fence.line)
        if fence.language == "source":
            span = guide.listing(page, fence).span
            indent = len(span.lines[0]) - len(span.lines[0].lstrip())
            for number, text in enumerate(span.lines, span.first):
                if len(text) - indent > WIDTH:
                    message = f"shown here with over {WIDTH} columns"
                    yield WeaveError(message, span.path, number)
        elif fence.language == "changes":
            read_changes(guide.root, page, fence)
        elif fence.language == "api":
            api.shown_by(guide, page, fence)
        elif fence.language == "command":
            commands.command_of(guide, page, fence)
        elif fence.language == "derivative":
            for derivative in derivatives.read(fence.body, fence.line + 1):
                try:
                    derivatives.check(derivative)
                except derivatives.Untrue as error:
                    yield page.error(str(error), derivative.line)
                list(derivatives.latex(derivative))
        elif fence.language == "widget":
            result_of(guide.root, page, fence)
        elif fence.language == "ladder":
            read_ladder(guide, page, fence)
    except WeaveError as error:
        yield error
    except (
        UnknownSymbol,
        ValueError,
        SyntaxError,
        NameError,
        TypeError,
        AttributeError,
    ) as error:
        yield page.error(str(error), fence.line)


def _formulas(page: Page) -> Iterator[WeaveError]:
    """Find derivatives stated in a formula, where nothing checks them."""
    general = False
    in_math = False
    block = ""
    for line, text in page.prose():
        if text.startswith("<!--weave:general "):
            general = True
            continue
        formulas = [] if in_math else numbers.MATH.findall(text)
        if text.strip() == "$$":
            formulas = [block] if in_math else []
            in_math, block = not in_math, ""
        elif in_math:
            block += f"{text} "
        for formula in formulas:
            if STATED.search(formula) and "=" in formula and not general:
                yield page.error(
                    "a derivative stated in a formula is not checked: use a derivative "
                    "fence, or <!--weave:general REASON--> above a law that holds for "
                    "every function",
                    line,
                )
        if not text.strip() and not in_math:
            general = False
