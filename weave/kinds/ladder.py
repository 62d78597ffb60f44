"""The ladder: what each step adds, and names that models invent in recorded runs."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from weave.guide import Guide
from weave.kinds.kind import Cell, Kind, To, View

RECORDED = Path("web", "widgets", "trainer", "recorded.json")
HEAD = ("model", "names seen", "held-out loss, one run", "invents")


class Ladder(Kind):
    """A line for each step of the navigation: `what it adds | what its model invents`.

    After the bar stands `run` and one of the Trainer's runs, or words.
    """

    language = "ladder"
    what = "the steps, what each adds, and what its model invents"

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield the words."""
        return self.numbered

    def content(self, guide: Guide) -> list[tuple[str, dict[str, Any] | str]]:
        """Return what each step adds, and the last moment of its run, or words."""
        if len(self.fence.body) != len(guide.steps):
            message = f"a ladder has a line for each of the {len(guide.steps)} steps"
            raise self.error(message)
        found: list[tuple[str, dict[str, Any] | str]] = []
        for offset, line in enumerate(self.fence.body, 1):
            adds, _, invents = line.partition(" | ")
            if not invents:
                what = "a rung is 'what it adds | run RUN', or has words after the bar"
                raise self.error(what, offset)
            run = invents.removeprefix("run ")
            is_run = run != invents
            found.append((adds, moment_of(self, guide, run, offset) if is_run else run))
        return found

    def html(self, view: View) -> str:
        """Show the steps as a list."""
        shown = ""
        rungs = zip(view.guide.steps.items(), self.content(view.guide), strict=True)
        for (step, first), (adds, end) in rungs:
            title = f'<a href="{view.to(first)}">{escape(step)}</a>'
            if isinstance(end, str):
                invents = f'<p class="same">{escape(end)}</p>'
            else:
                names = "&nbsp;· ".join(map(escape, end["names"]))
                invents = (
                    f'<p class="samples">{names}</p><p class="loss">'
                    f"<span>loss</span> {end['heldOut']:.2f}</p>"
                )
            shown += (
                f'<li class="rung"><p class="step">{title}</p>'
                f'<p class="adds">{escape(adds)}</p>{invents}</li>'
            )
        return f'<ol class="ladder" data-search-exclude>{shown}</ol>'


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
