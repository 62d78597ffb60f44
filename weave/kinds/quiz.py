"""Questions with three answers, one of them right, for the ends of chapters."""

import re
from collections.abc import Iterator

from weave.kinds.kind import Kind, View, spaced

RIGHT, WRONG = "- [x] ", "- [ ] "
FORM = re.compile(r"((?:(?!- \[).*\n)+)((?:- \[[ x]\] .*\n){3})((?:(?!- \[).*\n)+)")


class Quiz(Kind):
    """A question, three answers below it as `- [ ]` or `- [x]`, then an explanation."""

    language = "quiz"

    def read(self) -> None:
        """Refuse a question without three answers, exactly one right, and a reason."""
        question, answers, because = self._parts()
        right = [mark for mark, _ in answers].count(RIGHT)
        if not question or right != 1 or not because:
            raise self.error(
                "a quiz begins with its question, has three answers, a line each, one "
                f"right ('{RIGHT}…'), and ends with an explanation"
            )

    def _parts(self) -> tuple[str, list[tuple[str, str]], str]:
        """Return the question, each answer after its mark, and the explanation."""
        found = FORM.fullmatch(self.fence.text)
        question, answers, because = found.groups() if found else ("", "", "")
        end = len(RIGHT)
        marked = [(line[:end], line[end:]) for line in answers.splitlines()]
        return " ".join(question.split()), marked, " ".join(because.split())

    def prose(self) -> Iterator[tuple[int, str]]:
        """Yield all of it: readers read it as they read the page."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield line, text.removeprefix(RIGHT).removeprefix(WRONG)

    def html(self, view: View) -> list[str]:
        """Show a group of radio buttons; the style sheet shows what choosing one tells."""
        question, answers, because = self._parts()
        shown = [
            view.stash(f'<fieldset class="quiz" id="{self.anchor}"><legend>'),
            question,
            view.stash("</legend>"),
        ]
        for mark, answer in answers:
            field = f'<label><input type="radio" name="{self.anchor}">'
            said = "That's right." if mark == RIGHT else "Not this one."
            verdict = f'<span class="verdict">{said}</span></label>'
            shown.append(f"{view.stash(field)} {answer} {view.stash(verdict)}")
        opening, closing = '<div class="because" role="status">', "</div></fieldset>"
        shown += [view.stash(opening), because, view.stash(closing)]
        return spaced(*shown)
