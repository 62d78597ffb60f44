"""Tables of names that models invent in recorded runs."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path

from weave.guide import Guide
from weave.kinds.kind import Cell, Kind, To, View

RECORDED = Path("web", "widgets", "trainer", "recorded.json")
HEAD = ("model", "names seen", "held-out loss, one run", "invents")


class Names(Kind):
    """A line for each model: `what it is called: its run`, or `… RUN before training`.

    The runs are those of the Trainer; losses are in nats per token.
    """

    language = "names"
    what = "names that models invent"

    def content(self, guide: Guide) -> list[tuple[str, str, str, list[str]]]:
        """Return what stands in the table, row by row."""
        runs, found = json.loads(guide.text(RECORDED)), []
        for offset, line in enumerate(self.fence.body, 1):
            model, _, run = (part.strip() for part in line.rpartition(": "))
            name, _, when = run.partition(" ")
            if not model:
                raise self.error("a row is 'model: run'", offset)
            if name not in runs or when not in ("", "before training"):
                raise self.error(f"the runs are {', '.join(runs)}", offset)
            moment = runs[name]["moments"][0 if when else -1]
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
