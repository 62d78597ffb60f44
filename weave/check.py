"""Comparing a page with what is true. Checking and updating are one: a claim that is
not true is a correction, which `check` reports and `update` makes.
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from weave import api, commands, derivatives, glossary, imports, labs, numbers, works
from weave.changes import read_changes, unexplained
from weave.errors import WeaveError, WeaveErrors
from weave.exercises import exercises, faults
from weave.guide import Guide
from weave.interface import TYPES, WIDGETS, widget_types
from weave.ladder import read_ladder
from weave.links import misnamed
from weave.names import unknown_labels, unknown_names
from weave.page import Block, Fence, Page
from weave.plots import plot_path
from weave.run import Results, run_page
from weave.source import UnknownSymbol
from weave.standalone import standalone
from weave.widgets import result_of

WIDTH = 72  # columns of code that a chapter shows
STATED = re.compile(
    r"\\partial|\\nabla|\\[dt]?frac\s*\{\s*(?:\\mathrm)?\s*\{?d(?:\}|\b|\s*[a-zA-Z]\s*\})"
    r"|\bd[a-zA-Z]\s*/\s*d[a-zA-Z]|[a-zA-Z]'\s*\("
)


@dataclass(frozen=True)
class Correction:
    """What a file should say from one place to another; places are (line, column).

    Lines count from 1. A correction without an `end` is the whole file.
    """

    path: Path
    start: tuple[int, int]
    end: tuple[int, int] | None
    text: str
    message: str

    def error(self) -> WeaveError:
        """Return what is not true, as an error."""
        hint = "run 'python -m weave update' if the code is right"
        return WeaveError(f"{self.message}; {hint}", self.path, self.start[0])


@dataclass
class Report:
    """What is wrong: what `update` can mend, and what only an author can."""

    corrections: list[Correction]
    errors: list[WeaveError]

    def raise_if_any(self) -> None:
        """Raise WeaveErrors unless all is true."""
        if all_errors := [*(c.error() for c in self.corrections), *self.errors]:
            key = lambda e: (str(e.path), e.line)
            raise WeaveErrors(sorted(all_errors, key=key))


def examine(guide: Guide, paths: list[Path]) -> Report:
    """Run pages, several at a time, each in a process of its own, and compare."""
    report = Report([], [])
    # Threads wait for processes, no more: CPython 3.11 cannot parse in two at once.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [(path, pool.submit(_run, guide, path)) for path in paths]
        for path, run in runs:
            try:
                found = _compare(guide, guide.read(path), run.result())
            except WeaveError as error:
                found = Report([], [error])
            report.corrections += found.corrections
            report.errors += found.errors
    return report


def _run(guide: Guide, path: Path) -> Results | str:
    """Run a page, or a notebook: it comes back with what its cells give."""
    if path in guide.labs:
        return labs.executed(guide.root, guide.text(path), path)
    return run_page(guide.root, guide.read(path))


def _compare(guide: Guide, page: Page, found: Results | str) -> Report:
    if isinstance(found, str):
        return _compare_lab(guide, page, found)
    report = Report([], [])
    try:
        for correction in corrections(guide, page, found):
            report.corrections.append(correction)
        for mistake in mistakes(guide, page, found):
            report.errors.append(mistake)
    except WeaveError as error:  # because of which no more can be said
        report.errors.append(error)
    return report


def _compare_lab(guide: Guide, page: Page, found: str) -> Report:
    """Compare a notebook, whole, with what its cells give."""
    report = Report([], list(mistakes(guide, page, Results({}, {}, {}))))
    for number in page.numbers:
        message = "a lab prints its numbers: its text cannot compute them"
        report.errors.append(page.error(message, number.line))
    if place := labs.difference(guide.text(page.path), found):
        message = f"cell {place} gives something else"
        report.corrections.append(Correction(page.path, (1, 0), None, found, message))
    return report


def examine_project(guide: Guide) -> Report:
    """Compare what no single page states."""
    wrong = [*_orphans(guide), *unexplained(guide), *faults(guide.root)]
    wrong += [*api.faults(guide), *commands.faults(guide), *works.faults(guide)]
    report = Report([], wrong)
    try:
        report.errors += glossary.faults(guide)
    except WeaveError as error:
        report.errors.append(error)
    for compare in (_downloads, _waiting, _interface):
        try:
            report.corrections += compare(guide)
        except WeaveError as error:
            report.errors.append(error)
    return report


def corrections(guide: Guide, page: Page, results: Results) -> Iterator[Correction]:
    """Yield what a page states and running it does not."""
    for block in page.blocks:
        if block.runs_here and block.fence.line not in results.failures:
            yield from _output(page, block, results.outputs.get(block.fence.line, ""))
    for number in page.numbers:
        value = results.answers.get((number.line, number.expression))
        if value is None:
            continue
        try:
            true = numbers.write_like(number.text, value)
        except ValueError:
            continue  # a mistake, reported as such
        if true != number.text:
            message = f"{number.expression} is {true}, not {number.text}"
            start, end = (number.line, number.start), (number.line, number.end)
            yield Correction(page.path, start, end, true, message)
    for fence in page.fences:
        if fence.language == "session" and fence.line in results.sessions:
            told = results.sessions[fence.line]
            if fence.text != told:
                message = f"the session goes otherwise: {_first_new(fence.text, told)}"
                yield _body(page, fence, told, message)
        for directive in fence.directives:
            answer = results.answers.get((directive.line, directive.argument))
            if directive.name == "imports":
                drawn = imports.diagram(guide.root, directive.argument)
                yield from _graph(page, fence, drawn, directive.argument)
            if directive.name == "graph" and answer is not None:
                yield from _graph(page, fence, answer, directive.argument)
            if directive.name == "plot" and answer is not None:
                path = plot_path(page, fence)
                message = f"is not what {page.path}:{directive.line} draws"
                if not _draws(guide, path, answer):
                    yield from _file(guide, path, json.dumps(answer) + "\n", message)


def _output(page: Page, block: Block, printed: str) -> Iterator[Correction]:
    line = block.fence.line
    if not _can_stand_in_a_fence(printed):
        return  # a mistake, reported as such
    if block.output is None:
        if printed:
            text = (
                f"\n<!--pytest-codeblocks:expected-output-->\n```text\n{printed}```\n"
            )
            message = (
                f"the block prints {_short(printed)}, which the page does not show"
            )
            place = (block.fence.end + 1, 0)
            yield Correction(page.path, place, place, text, message)
    elif block.output.text != printed:
        message = (
            f"the block of line {line} prints {_short(printed)}, "
            f"not {_short(block.output.text)}"
        )
        yield _body(page, block.output, printed, message)


def _can_stand_in_a_fence(printed: str) -> bool:
    """Tell whether a page can show an output: whole lines, none of them a fence."""
    lines = printed.splitlines()
    is_fence = any(line.startswith("```") for line in lines)
    return not is_fence and "".join(f"{line}\n" for line in lines) == printed


def _graph(page: Page, fence: Fence, drawn: str, what: str) -> Iterator[Correction]:
    drawn = drawn.rstrip("\n") + "\n"
    if fence.text != drawn:
        message = f"the graph of {what} differs: it has {_first_new(fence.text, drawn)}"
        yield _body(page, fence, drawn, message)


def _first_new(before: str, after: str) -> str:
    """Return the first line of a text that the other does not have."""
    old = before.splitlines()
    new = (line.strip() for line in after.splitlines() if line not in old)
    return next(new, "(fewer lines)")


def _body(page: Page, fence: Fence, text: str, message: str) -> Correction:
    return Correction(page.path, (fence.line + 1, 0), (fence.end, 0), text, message)


def _draws(guide: Guide, path: Path, answer: object) -> bool:
    """Tell whether a file of data is what a plot draws, but for the last digit.

    A long run ends with other last bits under another version of Python, and then a
    number that lay between two roundings gets the other one.
    """
    try:
        drawn = json.loads((guide.root / path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return _close(drawn, answer)


def _close(drawn: object, answer: object) -> bool:
    """Compare what JSON holds; numbers have the six digits of `weave.run`."""
    match drawn, answer:
        case dict(), dict():
            same = drawn.keys() == answer.keys()
            return same and all(_close(drawn[key], answer[key]) for key in drawn)
        case list(), list():
            return len(drawn) == len(answer) and all(map(_close, drawn, answer))
        case float(), float():
            return math.isclose(drawn, answer, rel_tol=1.01e-5)
    return drawn == answer


def _file(guide: Guide, path: Path, text: str, message: str) -> Iterator[Correction]:
    file = guide.root / path
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        yield Correction(path, (1, 0), None, text, message)


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}…")


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
    for line, text in numbers.bare_numbers(page):
        yield page.error(
            f"{text!r} is a number that nothing computes: write "
            '<data value="EXPRESSION">…</data>, or <span data-waive="the reason">',
            line,
        )
    if any("exclude: true" in line for line in page.lines[: page.front_matter]):
        yield page.error("the search would not find this page", 1)
    for line, name in unknown_names(guide, page):
        yield page.error(f"{name!r} stands in a code span but in no code", line)
    for line, label in unknown_labels(guide, page):
        yield page.error(f"no picture of this page has {label!r} to press", line)
    for line, message in numbers.miscounted(page):
        yield page.error(message, line)
    for block in page.blocks:
        failed = block.fence.line in results.failures
        printed = results.outputs.get(block.fence.line, "")
        if not failed and not _can_stand_in_a_fence(printed):
            message = (
                f"the block prints {_short(printed)}: end the last line, and print "
                "neither ``` nor other line ends, which no fence can hold"
            )
            yield page.error(message, block.fence.line)
        for offset, text in enumerate(block.fence.body, 1):
            if len(text) > WIDTH:
                yield page.error(f"over {WIDTH} columns", block.fence.line + offset)
    for fence in page.fences:
        yield from _constants(page, fence)
        yield from _fence_mistakes(guide, page, fence)
    yield from _formulas(page)
    # Last, for this looks at all pages, and stops where one cannot be read.
    for line, message in misnamed(guide, page):
        yield page.error(message, line)


def _constants(page: Page, fence: Fence) -> Iterator[WeaveError]:
    """Find pictures of what was typed, and numbers in the words around a picture."""
    for directive in fence.directives:
        if directive.name in ("graph", "plot"):
            for part in _parts(directive.argument):
                if numbers.is_hard_coded(part):
                    message = f"{part!r} computes nothing: name what it is about"
                    yield page.error(message, directive.line)
    if fence.language in ("plot", "ladder", "figure"):
        # Of what a lab draws, only the caption was written by hand.
        said = fence.body[:1] if fence.language == "figure" else fence.body
        for offset, text in enumerate(said, 1):
            key, _, words = text.partition(":")
            named = key in ("data", "looks")  # not shown: a file, and names of series
            words = text if fence.language == "figure" else words
            if not named and (match := numbers.BARE.search(words)):
                message = f"{match[0]!r} is a number that nothing computes"
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
        if fence.directive("drawn") and re.search(r"\b(data|grad) ?[-\d]", fence.text):
            message = "a diagram that shows data or gradients is drawn from a graph"
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


def _downloads(guide: Guide) -> Iterator[Correction]:
    """Each program as one file, for readers to download."""
    for program, path in guide.downloads.items():
        text = standalone(guide.root, f"snippets.{program.stem}")
        yield from _file(guide, path, text, f"is not what {program.name} gives today")
    names = (guide.root / "microgpt" / "names.txt").read_text(encoding="utf-8")
    path = Path("docs", "downloads", "names.txt")
    yield from _file(guide, path, names, "is not the package's list of names")


def _interface(guide: Guide) -> Iterator[Correction]:
    """What widgets' pages know of their functions is what these take and return."""
    if (guide.root / WIDGETS).is_dir():
        message = "is not what the widgets' functions take and return"
        yield from _file(guide, TYPES, widget_types(guide.root), message)


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
    yield from _mislabelled(guide)
    yield from _unchecked_files(guide)


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


def apply(root: Path, made: list[Correction]) -> dict[Path, tuple[str, str]]:
    """Return the text of each file before and after its corrections; write nothing."""
    texts: dict[Path, tuple[str, str]] = {}
    for path in sorted({correction.path for correction in made}):
        before = (root / path).read_text("utf-8") if (root / path).exists() else ""
        lines = before.splitlines(keepends=True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))
        after = before
        mine = [correction for correction in made if correction.path == path]
        for correction in sorted(mine, key=lambda c: c.start, reverse=True):
            row, column = correction.start
            first = starts[min(row, len(starts)) - 1] + column
            if correction.end is None:
                after = correction.text
                continue
            row, column = correction.end
            last = starts[min(row, len(starts)) - 1] + column
            after = after[:first] + correction.text + after[last:]
        texts[path] = (before, after)
    return texts
