"""Comparing a page with what is true. Checking and updating are one: a claim that is
not true is a correction, which `check` reports and `update` makes.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from weave import imports, labs, numbers
from weave.errors import WeaveError
from weave.guide import Guide
from weave.mistakes import mistakes
from weave.page import Block, Fence, Page, can_stand_in_a_fence
from weave.plots import plot_path
from weave.report import Correction, Report, short, whole_file
from weave.run import Results, run_page


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


def corrections(guide: Guide, page: Page, results: Results) -> Iterator[Correction]:
    """Yield what a page states and running it does not."""
    for block in page.blocks:
        printed = results.outputs.get(block.fence.line)  # None: it was not run
        if printed is not None and block.fence.line not in results.failures:
            yield from _output(page, block, printed)
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
                    yield from whole_file(
                        guide.root, path, json.dumps(answer) + "\n", message
                    )


def _output(page: Page, block: Block, printed: str) -> Iterator[Correction]:
    line = block.fence.line
    if not can_stand_in_a_fence(printed):
        return  # a mistake, reported as such
    if block.output is None:
        if printed:
            text = (
                f"\n<!--pytest-codeblocks:expected-output-->\n```text\n{printed}```\n"
            )
            message = f"the block prints {short(printed)}, which the page does not show"
            place = (block.fence.end + 1, 0)
            yield Correction(page.path, place, place, text, message)
    elif block.output.text != printed:
        message = (
            f"the block of line {line} prints {short(printed)}, "
            f"not {short(block.output.text)}"
        )
        yield _body(page, block.output, printed, message)


def _graph(page: Page, fence: Fence, drawn: str, what: str) -> Iterator[Correction]:
    drawn = drawn.rstrip("\n") + "\n"
    if fence.text != drawn:
        message = f"the graph of {what} differs: it has {_first_new(fence.text, drawn)}"
        yield _body(page, fence, drawn, message)


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


def _first_new(before: str, after: str) -> str:
    """Return the first line of a text that the other does not have."""
    old = before.splitlines()
    new = (line.strip() for line in after.splitlines() if line not in old)
    return next(new, "(fewer lines)")
