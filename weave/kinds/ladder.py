"""The ladder: what each step adds, how long its code is, how its loss falls."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import chain
from pathlib import Path

from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds.kind import Kind, View

DATA = Path("docs", "data")
WINDOW = 100  # losses, of which a point of a curve is the mean
APART = 20  # losses, from one point of a curve to the next
WIDTH, HEIGHT = 200, 56
# What `ends.json` calls the models of the steps, and how long they were trained
TRAINED = {
    "step0": "pairs",
    "step1": "network",
    "step2": "network",
    "step3": "one head",
    "step4": "four heads, SGD",
    "step5": "four heads",
}
LONGEST = "100000"  # names


class Ladder(Kind):
    """A line for each step of the navigation: `FILE: what it adds`.

    The code of a step is a file, or a folder for all files in it.
    """

    language = "ladder"
    what = "the steps, and what each adds"

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield what each step adds."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield line, text.partition(":")[2]

    def rungs(self, guide: Guide) -> list[Rung]:
        """Return the steps with what is known of their code."""
        if len(self.fence.body) != len(guide.steps):
            message = f"a ladder has a line for each of the {len(guide.steps)} steps"
            raise self.error(message)
        held_out, ends = (
            json.loads((guide.root / DATA / f"{name}.json").read_text("utf-8"))
            for name in ("held-out", "ends")
        )
        files = [*guide.programs, *guide.sources]
        found: list[Rung] = []
        missing = set(guide.programs)
        steps = zip(self.fence.body, guide.steps.items())
        for offset, (line, (step, first)) in enumerate(steps, 1):
            code, _, adds = (part.strip() for part in line.partition(": "))
            own = [f for f in files if code in (f.as_posix(), f.parent.as_posix())]
            if not own or not adds:
                raise self.error("a rung is 'FILE: what it adds'", offset)
            missing -= {Path(code)}
            name = own[0].stem
            loss = held_out.get(name, found[-1].held_out if found else None)
            if loss is None:
                raise self.error(f"held-out.json has no loss of {name}", offset)
            lines = sum(len(guide.lines(file)) for file in own)
            end = found[-1].end if found else math.nan
            if name in TRAINED:
                end = ends["guide"]["rungs"][TRAINED[name]][LONGEST]["mean"]
            losses = _losses(guide, name)
            found.append(Rung(step, first, adds, lines, losses, loss, end))
        if missing:
            names = ", ".join(sorted(path.as_posix() for path in missing))
            raise self.error(f"no rung has {names}")
        return found

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Find steps that aren't there or left out."""
        self.rungs(guide)
        return iter(())

    def html(self, view: View) -> list[str]:
        """Show the steps as a list, each with its curve over that of the step below."""
        rungs = self.rungs(view.guide)
        curves = [curve(rung.losses) for rung in rungs]
        points = list(chain(*curves))
        low, high = min(points), max(points)
        shown = ""
        for number, rung in enumerate(rungs):
            below = curves[number - 1] if number else []
            there = view.to(rung.first)
            title = f'<p class="step"><a href="{there}">{escape(rung.step)}</a></p>'
            facts = [
                ("lines", f"{rung.lines:,}"),
                ("loss", f"{rung.held_out:.2f}"),
                ("end", f"{rung.end:.2f}"),
            ]
            items = "".join(
                f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts
            )
            picture = _picture(curves[number], below, low, high)
            shown += (
                f'<li class="rung step-{number}">{title}<p class="adds">'
                f"{escape(rung.adds)}</p>{picture}<dl>{items}</dl></li>"
            )
        return [view.stash(f'<ol class="ladder" data-search-exclude>{shown}</ol>')]


@dataclass(frozen=True)
class Rung:
    """A step: its name and first page, what it adds, and what is known of its code.

    `losses` are those of its own recorded run, if there is one. `held_out` is the loss
    on names never seen of the model that it has: that of the step below it, unless
    another is recorded. `end` is that loss once the model has learnt all it can.
    """

    step: str
    first: Path
    adds: str
    lines: int
    losses: list[float]
    held_out: float
    end: float


def _losses(guide: Guide, name: str) -> list[float]:
    file = guide.root / DATA / f"{name}.json"
    if f"{name}.json" not in guide.options.get("recorded", {}) or not file.exists():
        return []
    losses: list[float] = json.loads(file.read_text("utf-8"))
    return losses


def curve(losses: list[float]) -> list[float]:
    """Return the points of a curve: each is the mean of the losses up to it, of WINDOW."""
    ends = range(APART, len(losses) + 1, APART)
    windows = [losses[max(0, end - WINDOW) : end] for end in ends]
    return [sum(window) / len(window) for window in windows]


def _picture(own: list[float], below: list[float], low: float, high: float) -> str:
    """Draw a curve over that of the step below; both are on the scale of all."""
    if not own:
        return ""
    words = f"Its loss falls from {own[0]:.2f} to {own[-1]:.2f}."
    paths = ""
    for kind, points in (("below", below), ("own", own)):
        if points:
            d = _path(points, low, high)
            paths += f'<path class="{kind}" d="{d}"/>'
    return (
        f'<svg class="curve" role="img" aria-label="{words}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none">{paths}</svg>'
    )


def _path(points: list[float], low: float, high: float) -> str:
    step = WIDTH / (len(points) - 1)
    places = (
        f"{number * step:.1f} {2 + (HEIGHT - 4) * (high - point) / (high - low):.1f}"
        for number, point in enumerate(points)
    )
    return f"M{'L'.join(places)}"
