"""What a `plot` fence says becomes what is drawn, and what it cannot say is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.weave.conftest import Project, RecordingDrawer, stashed
from weave.errors import WeaveError

PLOT = """# A page

<!--weave:plot {"a": [1, 10, 100]}-->
```plot
title: Powers
x: step
y: size
data: powers.json
"""


def drawn(project: Project, line: str) -> dict[str, Any]:
    """Return what is drawn of a plot that says one line more."""
    project.write("docs/data/powers.json", '{"a": [1, 10, 100]}')
    page = project.page(f"{PLOT}{line}```\n")
    drawer = RecordingDrawer(project.root)
    stashed(project.guide, page.path, drawer)
    (request,) = drawer.requests
    drawing: dict[str, Any] = request["spec"]
    return drawing


@pytest.mark.parametrize(
    ("line", "axes"),
    [
        ("", set()),
        ("logarithmic: y\n", {"log"}),
        ("logarithmic: x and y\n", {"log", "logX"}),
    ],
)
def test_axes_are_logarithmic_where_a_plot_says_so(
    project: Project, line: str, axes: set[str]
) -> None:
    drawing = drawn(project, line)
    assert {key for key in ("log", "logX") if drawing.get(key)} == axes
    assert drawing["series"] == {"a": [1, 10, 100]}
    assert "logarithmic" not in drawing


def test_a_plot_may_say_which_look_each_series_has(project: Project) -> None:
    assert drawn(project, "looks: b, too; a\n")["looks"] == ["b, too", "a"]


@pytest.mark.parametrize("line", ["logarithmic: x\n", "logarithmic:\n", "log: y\n"])
def test_an_axis_that_no_plot_has_is_refused(project: Project, line: str) -> None:
    with pytest.raises(WeaveError, match=r"a plot says|logarithmic is one of"):
        drawn(project, line)
