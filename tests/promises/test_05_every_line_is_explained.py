"""Every line of the package is explained, and every line that changes from step to step."""

from weave.check import check_project
from weave.guide import Guide


def test_project_check_finds_no_unexplained_lines(guide: Guide) -> None:
    assert list(map(str, check_project(guide))) == []
