"""The ladder: what each step adds, and names that models invent in recorded runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from weave.guide import Guide
from weave.kinds.kind import Cell, Kind, To, View

SAME = "-"
RECORDED = Path("web", "widgets", "trainer", "recorded.json")
HEAD = ("model", "names seen", "held-out loss, one run", "invents")


class Ladder(Kind):
    """A line for each step of the navigation: `RUN: what it adds`.

    The run is one of the Trainer's. A step with the model of the one below has `-`, and
    after what it adds `| what that is good for`.
    """

    language = "ladder"
    what = "the steps, what each adds, and what its model invents"

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield what each step adds."""
        for line, text in self.numbered:
            yield line, text.partition(":")[2]

    def content(self, guide: Guide) -> list[Rung]:
        """Return the steps, each with the end of its run."""
        if len(self.fence.body) != len(guide.steps):
            message = f"a ladder has a line for each of the {len(guide.steps)} steps"
            raise self.error(message)
        found: list[Rung] = []
        steps = zip(self.fence.body, guide.steps.items(), strict=True)
        for offset, (line, (step, first)) in enumerate(steps, 1):
            run, _, adds = (part.strip() for part in line.partition(": "))
            if not run or not adds or (run == SAME and not found):
                raise self.error("a rung is 'RUN: what it adds'", offset)
            moment = None if run == SAME else moment_of(self, guide, run, offset)
            adds, _, gain = (part.strip() for part in adds.partition("|"))
            if bool(gain) == bool(moment):
                what = "a rung with '-' ends in '| what it's good for', no other does"
                raise self.error(what, offset)
            found.append(Rung(step, first, adds, gain, moment))
        return found

    def html(self, view: View) -> str:
        """Show the steps as a list."""
        shown = ""
        for number, rung in enumerate(self.content(view.guide)):
            there = view.to(rung.first)
            title = f'<p class="step"><a href="{there}">{escape(rung.step)}</a></p>'
            adds = f'<p class="adds">{escape(rung.adds)}</p>'
            invents = f'<p class="same">{escape(rung.gain)}</p>'
            if rung.moment:
                names = "&nbsp;· ".join(map(escape, rung.moment["names"]))
                invents = (
                    f'<p class="samples">{names}</p><p class="loss">'
                    f"<span>loss</span> {rung.moment['heldOut']:.2f}</p>"
                )
            shown += f'<li class="rung step-{number}">{title}{adds}{invents}</li>'
        return f'<ol class="ladder" data-search-exclude>{shown}</ol>'


@dataclass(frozen=True)
class Rung:
    """A step: its name and first page, and what it adds.

    `moment` is the end of its run: what its model invents, and its loss in nats per
    token, on names it has never seen. A step with the model of the one below has a gain
    instead, in words.
    """

    step: str
    first: Path
    adds: str
    gain: str
    moment: dict[str, Any] | None


class Names(Kind):
    """A line for each model: `what it is called: its run`, or `… RUN before training`.

    The runs are those of the Trainer; losses are in nats per token.
    """

    language = "names"
    what = "names that models invent"

    def content(self, guide: Guide) -> list[tuple[str, str, str, list[str]]]:
        """Return what stands in the table, row by row."""
        found = []
        for offset, line in enumerate(self.fence.body, 1):
            model, _, run = (part.strip() for part in line.rpartition(": "))
            if not model:
                raise self.error("a row is 'model: run'", offset)
            moment = moment_of(self, guide, run, offset)
            names = [each or "(empty)" for each in moment["names"]]
            loss = f"{moment['heldOut']:.3f}"
            found.append((model, f"{moment['seen']:,}", loss, names))
        return found

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield what the models are called."""
        for line, text in self.numbered:
            yield line, text.rpartition(": ")[0]

    def html(self, view: View) -> str:
        """Show a table."""
        head = "".join(f'<th scope="col">{name}</th>' for name in HEAD)
        body = ""
        for model, seen, loss, names in self.content(view.guide):
            first = (
                f'<th scope="row">{escape(model)}</th><td>{seen}</td><td>{loss}</td>'
            )
            invented = escape(", ".join(names))
            body += f'<tr>{first}<td class="samples">{invented}</td></tr>'
        return (
            '<div class="names" data-search-exclude><table class="plain">'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def cells(self, guide: Guide, to: To) -> Iterator[str | Cell]:
        """Yield the table in Markdown."""
        yield f"| {' | '.join(HEAD)} |"
        yield "| --- | --- | --- | --- |"
        for *facts, names in self.content(guide):
            yield f"| {' | '.join(facts)} | {', '.join(names)} |"


def moment_of(kind: Kind, guide: Guide, run: str, offset: int) -> dict[str, Any]:
    """Return the last moment of a recorded run, or that `before training`."""
    runs: dict[str, Any] = json.loads((guide.root / RECORDED).read_text("utf-8"))
    name, _, when = run.partition(" ")
    if name not in runs or when not in ("", "before training"):
        raise kind.error(f"the runs are {', '.join(runs)}", offset)
    moment: dict[str, Any] = runs[name]["moments"][0 if when else -1]
    return moment
