"""Changes between programs of steps: every changed line is shown on a page."""

from pathlib import Path

from tests.processes import ROOT
from weave.fences.diff import Diff
from weave.guide import Guide


def find_errors_after_edit(file: str, old: str, new: str) -> list[str]:
    """Return the errors about unshown changes after an edit of a program."""
    path = Path(file)
    text = Guide(ROOT).read_text(path)
    assert old in text
    guide = Guide(ROOT, text_overrides={path: text.replace(old, new, 1)})
    return [*map(str, Diff.check_completeness(guide))]


def test_changed_line_of_a_program_must_be_shown_on_a_page() -> None:
    extra = "def extra() -> None:\n    pass\n\n\nif __name__"
    came, went = find_errors_after_edit("snippets/step2.py", "if __name__", extra)
    for error, pair in ((came, "step1.py to step2.py"), (went, "step2.py to step3.py")):
        assert f"from {pair}: the nearest misses 2 lines" in error
        assert error.startswith("snippets/step2.py:")
