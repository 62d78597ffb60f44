"""Questions with three answers, one of them right, for the ends of chapters."""

from collections.abc import Iterator
from typing import NamedTuple

from weave.guide import Guide
from weave.kinds.kind import Cell, Kind, To, View, spaced

RIGHT, WRONG = "- [x] ", "- [ ] "


class Answer(NamedTuple):
    """An answer, and whether it's the right one."""

    text: str
    right: bool


class Quiz(Kind):
    """A question, three answers below it as `- [ ]` or `- [x]`, then an explanation."""

    language = "quiz"
    plural = "quizzes"

    def read(self) -> None:
        """Refuse a question without three answers, exactly one right, and a reason."""
        right = sum(answer.right for answer in self.answers)
        marks = [line.startswith((RIGHT, WRONG)) for line in self.fence.body]
        together = [True] * 3 in [marks[n : n + 3] for n in range(len(marks))]
        if len(self.answers) != 3 or right != 1 or not together:
            raise self.error(
                f"a quiz has three answers, a line each, one right ('{RIGHT}…'); "
                f"this has {len(self.answers)}, {right} right"
            )
        question, because = self._around()
        if not question or not because:
            raise self.error(
                "a quiz begins with its question and ends with an explanation"
            )

    @property
    def answers(self) -> list[Answer]:
        """The answers, in order."""
        return [
            Answer(line[len(RIGHT) :], line.startswith(RIGHT))
            for line in self.fence.body
            if line.startswith((RIGHT, WRONG))
        ]

    def _around(self) -> tuple[str, str]:
        """Return the question above the answers, and the explanation below them."""
        marks = [line.startswith((RIGHT, WRONG)) for line in self.fence.body]
        first, last = marks.index(True), len(marks) - marks[::-1].index(True)
        above, below = self.fence.body[:first], self.fence.body[last:]
        return " ".join(above).strip(), " ".join(below).strip()

    def prose(self) -> Iterator[tuple[int, str]]:
        """Yield all of it: readers read it as they read the page."""
        for line, text in self.numbered:
            yield line, text.removeprefix(RIGHT).removeprefix(WRONG)

    def html(self, view: View) -> list[str]:
        """Show a group of radio buttons; the style sheet shows what choosing one tells."""
        question, because = self._around()
        shown = [
            view.stash(f'<fieldset class="quiz" id="{self.anchor}"><legend>'),
            question,
            view.stash("</legend>"),
        ]
        for answer in self.answers:
            field = f'<label><input type="radio" name="{self.anchor}">'
            said = "That's right." if answer.right else "Not this one."
            verdict = f'<span class="verdict">{said}</span></label>'
            shown.append(f"{view.stash(field)} {answer.text} {view.stash(verdict)}")
        opening, closing = '<div class="because" role="status">', "</div></fieldset>"
        shown += [view.stash(opening), because, view.stash(closing)]
        return spaced(*shown)

    def cells(self, guide: Guide, to: To) -> Iterator[str | Cell]:
        """Yield the question and its answers; the explanation is folded away."""
        question, because = self._around()
        right = next(a.text for a in self.answers if a.right)
        yield from (f"**{question}**", "", *(f"- {a.text}" for a in self.answers), "")
        yield from ("<details><summary>The answer</summary>", "")
        yield from (f"{right} {because}", "", "</details>")
