"""Plots of what blocks have computed, and the files that hold their data."""

import json
import math
from collections.abc import Iterator
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from weave.errors import WeaveError
from weave.findings import Correction, Finding, Question, Results
from weave.guide import Guide
from weave.kinds.kind import Kind, View, framed

KEYS = {"title", "x", "y", "data"}


class Plot(Kind):
    """A picture of the series that `<!--weave:plot EXPRESSION-->` gives, by name."""

    language = directive = "plot"
    what = "a plot"
    plural = "plots"

    @cached_property
    def settings(self) -> dict[str, str]:
        """What the fence says, by its keys."""
        pairs = (line.partition(":") for line in self.fence.body)
        return {key.strip(): text.strip() for key, _, text in pairs}

    @property
    def path(self) -> Path:
        """The file of its data, relative to the project."""
        return Path("docs", "data", self.settings["data"])

    def read(self) -> None:
        """Refuse other keys than those that there are."""
        said = self.settings
        if said.keys() != KEYS or not all(said.values()) or "/" in said["data"]:
            what = "a plot says title, x, y and data (a file name), each on a line"
            raise self.error(what)

    def questions(self) -> Iterator[Question]:
        """Yield the expression that gives the series."""
        for directive in self.fence.directives:
            yield Question(directive.argument, directive.line, rounded)

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield the title and the names of the axes."""
        for line, text in self.numbered:
            key, _, said = text.partition(":")
            if key != "data":
                yield line, said

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Compare the file of data; refuse a loss in another unit than nats."""
        for question in self.questions():
            answer = results.answers.get((question.line, question.expression))
            if answer is not None and not self._draws(guide, answer):
                message = f"is not what {self.page.path}:{question.line} draws"
                text = json.dumps(answer) + "\n"
                yield Correction(self.path, (1, 0), None, text, message)
        axis = self.settings["y"]
        if "loss" in axis and not axis.endswith("loss (nats)"):
            yield self.error(f"{axis!r} is a loss, and losses are in (nats)")

    def _draws(self, guide: Guide, answer: object) -> bool:
        """Tell whether the file of data is what is drawn, but for the last digit.

        A long run ends with other last bits under another version of Python, and then
        a number that lay between two roundings gets the other one.
        """
        try:
            return _close(json.loads(guide.text(self.path)), answer)
        except (WeaveError, ValueError):
            return False

    def html(self, view: View) -> str:
        """Draw the series; the caption leads to their file."""
        try:
            series = json.loads(view.guide.text(self.path))
        except (WeaveError, ValueError):
            what = f"{self.path} cannot be read: run 'uv run poe update'"
            raise self.error(what) from None
        said = {**self.settings, "series": series}
        svg = self.answer(view.guide, {"series": said})
        caption = (
            f"<figcaption>{escape(self.settings['title'])} "
            f'(<a href="{view.to(self.path)}" download>data</a>)</figcaption>'
        )
        return f'<figure class="plot">{framed(svg)}{caption}</figure>'

    @classmethod
    def files(cls, guide: Guide) -> set[Path]:
        """Return the files of data."""
        return {plot.path for plot in cls.all(guide)}


def rounded(value: Any, expression: str, scope: dict[str, Any]) -> Any:
    """Return series with six digits, which is what all platforms agree on."""
    return {name: [_six_digits(v) for v in series] for name, series in value.items()}


def _six_digits(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_six_digits(v) for v in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _close(drawn: object, answer: object) -> bool:
    match drawn, answer:
        case dict(), dict():
            same = drawn.keys() == answer.keys()
            return same and all(_close(drawn[key], answer[key]) for key in drawn)
        case list(), list():
            return len(drawn) == len(answer) and all(map(_close, drawn, answer))
        case float(), float():
            return math.isclose(drawn, answer, rel_tol=1.01e-5)
    return drawn == answer
