"""Questions with three answers, one of them right, for the ends of chapters."""

import re
from collections.abc import Iterator

from weave.fences.base import FenceKind, RenderContext, markdown_paragraphs

RIGHT_MARK, WRONG_MARK = "- [x] ", "- [ ] "
QUIZ_PATTERN = re.compile(
    r"((?:(?!- \[).*\n)+)((?:- \[[ x]\] .*\n){3})((?:(?!- \[).*\n)+)"
)


class Quiz(FenceKind):
    """A question, three answers below it as `- [ ]` or `- [x]`, then an explanation."""

    language = "quiz"

    def check_syntax(self) -> None:
        """Refuse a quiz without three answers, exactly one right, and an explanation."""
        question, answers, explanation = self._parse()
        right_count = [mark for mark, _ in answers].count(RIGHT_MARK)
        if not question or not explanation:
            raise self.error(
                "expected a question, three answers as lines that begin with "
                f"'{WRONG_MARK}' or '{RIGHT_MARK}', and an explanation below them"
            )
        if right_count != 1:
            raise self.error(
                f"expected one right answer, got {right_count}: mark it '{RIGHT_MARK}' "
                f"and the others '{WRONG_MARK}'"
            )

    def _parse(self) -> tuple[str, list[tuple[str, str]], str]:
        """Return the question, each answer as (mark, text), and the explanation."""
        match = QUIZ_PATTERN.fullmatch(self.fence.text)
        question, answers, explanation = match.groups() if match else ("", "", "")
        end = len(RIGHT_MARK)
        marked = [(line[:end], line[end:]) for line in answers.splitlines()]
        return " ".join(question.split()), marked, " ".join(explanation.split())

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Yield all of it without the marks."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield line, text.removeprefix(RIGHT_MARK).removeprefix(WRONG_MARK)

    def render(self, context: RenderContext) -> list[str]:
        """Return radio buttons; the style sheet shows the verdict on the chosen answer."""
        question, answers, explanation = self._parse()
        stash = context.stash_html
        parts = [
            stash(f'<fieldset class="quiz" id="{self.anchor}"><legend>'),
            question,
            stash("</legend>"),
        ]
        for mark, answer in answers:
            field = f'<label><input type="radio" name="{self.anchor}">'
            verdict = "That's right." if mark == RIGHT_MARK else "Not this one."
            end = f'<span class="verdict">{verdict}</span></label>'
            parts.append(f"{stash(field)} {answer} {stash(end)}")
        opening, closing = (
            '<div class="quiz-explanation" role="status">',
            "</div></fieldset>",
        )
        parts += [stash(opening), explanation, stash(closing)]
        return markdown_paragraphs(*parts)
