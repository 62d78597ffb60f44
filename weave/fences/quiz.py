"""Questions with three answers, one of them right, for the ends of chapters."""

import re
from collections.abc import Iterator

from weave.fences.base import RenderContext, TypedFence, markdown_paragraphs

RIGHT_MARK, WRONG_MARK = "- [x] ", "- [ ] "
QUIZ_PATTERN = re.compile(
    r"((?:(?!- \[).*\n)+)((?:- \[[ x]\] .*\n){3})((?:(?!- \[).*\n)+)"
)


class Quiz(TypedFence):
    """A question, three answers below it as `- [ ]` or `- [x]`, then an explanation."""

    language = "quiz"

    def validate(self) -> None:
        """Refuse a quiz without three answers, exactly one right, and an explanation."""
        question, answers, explanation = self._parse_body()
        right_count = sum(line.startswith(RIGHT_MARK) for line in answers)
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

    def _parse_body(self) -> tuple[str, list[str], str]:
        """Return the question, each answer's line with its mark, and the explanation."""
        match = QUIZ_PATTERN.fullmatch(self.fence.text)
        question, answers, explanation = match.groups() if match else ("", "", "")
        join = " ".join
        return join(question.split()), answers.splitlines(), join(explanation.split())

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Yield all lines of the quiz, without the marks of its answers."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield line, text.removeprefix(RIGHT_MARK).removeprefix(WRONG_MARK)

    def render(self, context: RenderContext) -> list[str]:
        """Return radio buttons; the style sheet shows the verdict on the chosen answer."""
        question, answers, explanation = self._parse_body()
        stash = context.stash_html
        opening = f'<fieldset class="quiz" id="{self.anchor}"><legend>'
        parts = [stash(opening), question, stash("</legend>")]
        for line in answers:
            answer = line[len(RIGHT_MARK) :]
            field = f'<label><input type="radio" name="{self.anchor}">'
            verdict = (
                "That's right." if line.startswith(RIGHT_MARK) else "Not this one."
            )
            end = f'<span class="verdict">{verdict}</span></label>'
            parts.append(f"{stash(field)} {answer} {stash(end)}")
        opening = '<div class="quiz-explanation" role="status">'
        parts += [stash(opening), explanation, stash("</div></fieldset>")]
        return markdown_paragraphs(*parts)
