"""Changes between programs of steps: every changed line is shown on a page."""

from pathlib import Path

from tests.processes import ROOT
from weave.fences.diff import Diff
from weave.guide import Guide


def find_unshown_changes(edited_program: str, old: str, new: str) -> list[str]:
    """Return the errors about changes that no page shows once a program is edited."""
    path = Path(edited_program)
    text = Guide(ROOT).read_text(path)
    assert old in text
    guide = Guide(ROOT, text_overrides={path: text.replace(old, new, 1)})
    return [*map(str, Diff.check_completeness(guide))]


def test_changed_line_of_a_program_must_be_shown_on_a_page() -> None:
    extra = "def extra() -> None:\n    pass\n\n\nif __name__"
    added, removed = find_unshown_changes("snippets/step2.py", "if __name__", extra)
    assert "from step1.py to step2.py: the nearest misses 2 lines" in added
    assert "from step2.py to step3.py: the nearest misses 2 lines" in removed
    for error in (added, removed):
        assert error.startswith("snippets/step2.py:")
