"""Every line of the package is explained, and every line that changes from step to step."""

from weave.check import check_project
from weave.guide import Guide


def test_the_project_holds_no_orphans(guide: Guide) -> None:
    assert list(map(str, check_project(guide))) == []
