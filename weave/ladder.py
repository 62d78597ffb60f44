"""The ladder: what each step adds, how long its code is, how its loss falls."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import chain
from pathlib import Path

from weave.guide import Guide
from weave.page import Fence, Page

DATA = Path("docs", "data")
WINDOW = 100  # losses, of which a point of a curve is the mean
APART = 20  # losses, from one point of a curve to the next
WIDTH, HEIGHT = 200, 56


@dataclass(frozen=True)
class Rung:
    """A step: its name and first page, what it adds, and what is known of its code.

    `losses` are those of its own recorded run, if there is one. `held_out` is the loss
    on names never seen of the model that it has: that of the step below it, unless
    another is recorded.
    """

    step: str
    first: Path
    adds: str
    lines: int
    losses: list[float]
    held_out: float


def read_ladder(guide: Guide, page: Page, fence: Fence) -> list[Rung]:
    """Read a `ladder` fence: a line for each step, with its code and what it adds.

    The code is a file, or a folder for all files in it.
    """
    if len(fence.body) != len(guide.steps):
        message = f"a ladder has a line for each of the {len(guide.steps)} steps"
        raise page.error(message, fence.line)
    held_out = json.loads((guide.root / DATA / "held-out.json").read_text("utf-8"))
    rungs: list[Rung] = []
    for number, (line, (step, first)) in enumerate(
        zip(fence.body, guide.steps.items()), fence.line + 1
    ):
        code, _, adds = (part.strip() for part in line.partition(": "))
        files = [
            f for f in _files(guide) if code in (f.as_posix(), f.parent.as_posix())
        ]
        if not files or not adds:
            raise page.error("a rung is 'FILE: what it adds'", number)
        name = files[0].stem
        below = rungs[-1].held_out if rungs else None
        loss = held_out.get(name, below)
        if loss is None:
            raise page.error(f"held-out.json has no loss of {name}", number)
        lines = sum(len(guide.lines(file)) for file in files)
        rungs.append(Rung(step, first, adds, lines, _losses(guide, name), loss))
    missing = set(guide.programs) - {
        Path(line.partition(": ")[0].strip()) for line in fence.body
    }
    if missing:
        names = ", ".join(sorted(path.as_posix() for path in missing))
        raise page.error(f"no rung has {names}", fence.line)
    return rungs


def _files(guide: Guide) -> list[Path]:
    return [*guide.programs, *guide.sources]


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


def ladder(guide: Guide, page: Page, fence: Fence, to: Callable[[Path], str]) -> str:
    """Return the ladder as a list; `to` gives the address of a page."""
    rungs = read_ladder(guide, page, fence)
    curves = [curve(rung.losses) for rung in rungs]
    points = list(chain(*curves))
    low, high = min(points), max(points)
    shown = ""
    for number, rung in enumerate(rungs):
        below = curves[number - 1] if number else []
        title = (
            f'<p class="step"><a href="{to(rung.first)}">{escape(rung.step)}</a></p>'
        )
        facts = [("lines", f"{rung.lines:,}"), ("loss", f"{rung.held_out:.2f}")]
        items = "".join(
            f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts
        )
        shown += (
            f'<li class="rung step-{number}">{title}<p class="adds">{escape(rung.adds)}'
            f"</p>{_picture(curves[number], below, low, high)}<dl>{items}</dl></li>"
        )
    return f'<ol class="ladder" data-search-exclude>{shown}</ol>'


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
