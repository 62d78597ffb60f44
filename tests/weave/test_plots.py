"""What a `plot` fence says becomes what is drawn, and what it cannot say is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weave.plots import plot_spec

from weave.errors import WeaveError
from weave.page import read_page

PLOT = """# A page

<!--weave:plot {"a": [1, 10, 100]}-->
```plot
title: Powers
x: step
y: size
data: powers.json
"""


def read(root: Path, line: str) -> dict[str, Any]:
    (root / "docs" / "data").mkdir(parents=True)
    (root / "docs" / "data" / "powers.json").write_text('{"a": [1, 10, 100]}')
    page = read_page(Path("docs/page.md"), f"{PLOT}{line}```\n")
    (fence,) = page.fences
    return plot_spec(root, page, fence).drawing


@pytest.mark.parametrize(
    ("line", "axes"),
    [
        ("", set()),
        ("logarithmic: y\n", {"log"}),
        ("logarithmic: x and y\n", {"log", "logX"}),
    ],
)
def test_axes_are_logarithmic_where_a_plot_says_so(
    tmp_path: Path, line: str, axes: set[str]
) -> None:
    drawing = read(tmp_path, line)
    assert {key for key in ("log", "logX") if drawing.get(key)} == axes
    assert drawing["series"] == {"a": [1, 10, 100]}
    assert "logarithmic" not in drawing


def test_a_plot_may_say_which_look_each_series_has(tmp_path: Path) -> None:
    assert read(tmp_path, "looks: b, too; a\n")["looks"] == ["b, too", "a"]


@pytest.mark.parametrize("line", ["logarithmic: x\n", "logarithmic:\n", "log: y\n"])
def test_an_axis_that_no_plot_has_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(WeaveError, match=r"a plot says|logarithmic is one of"):
        read(tmp_path, line)
