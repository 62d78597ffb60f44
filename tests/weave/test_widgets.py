"""Widgets on pages: what a fence says, and what Python makes of it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.weave.conftest import ROOT, Project, stashed
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.widget import Widget

DOUBLE = """
def double(number: float, quiet: bool = True) -> dict[str, object]:
    if number < 0:
        raise ValueError("the number is negative")
    print("noise") if not quiet else None
    return {"number": 2 * number, "parts": {}}
"""


@pytest.fixture
def playground(project: Project) -> Project:
    """A project with one widget, `double`."""
    for name in ("__init__.py", "runner.py"):
        project.write(
            f"web/runtime/{name}", (ROOT / "web" / "runtime" / name).read_text()
        )
    project.write("web/widgets/__init__.py", "")
    project.write("web/widgets/double/model.py", DOUBLE)
    project.write("web/widgets/double/view.tsx", "")
    return project


def result(project: Project, *body: str) -> object:
    page = project.page("# P\n\n```widget\n" + "\n".join(body) + "\n```\n")
    (widget,) = Widget.on(page)
    widget.read()
    return widget.content(project.guide)


@pytest.mark.parametrize("more", [(), ["quiet: false"]])
def test_a_fence_names_a_function_and_its_parameters(
    playground: Project, more: Sequence[str]
) -> None:
    """What the function prints is no part of its result."""
    shown = result(playground, "double", "number: 2.5", *more)
    assert shown == {"number": 5.0, "parts": {}}


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (["double", "number: -1"], "the number is negative"),
        (["double", "number: two"], "number: 'two' is no float"),
        (["double", "nmber: 1"], "nmber"),
        (["double"], "number"),
        (["double", "number: [1"], "'key: value'"),
        (["double", "just words"], "'key: value'"),
        (["Double/../x", "number: 1"], "'key: value'"),
        (["triple", "number: 1"], "no widget 'triple'"),
        (["double", "number: .inf"], "JSON"),
        ([], "'key: value'"),
    ],
)
def test_what_a_widget_cannot_show_is_told_with_its_line(
    playground: Project, body: list[str], complaint: str
) -> None:
    with pytest.raises(WeaveError, match=r"first.md:3: .*") as told:
        result(playground, *body)
    assert complaint in str(told.value)


def test_a_page_carries_what_its_widget_was_drawn_from() -> None:
    path = Path("docs/index.md")
    text = '# P\n\n```widget\ngraph\nexpression: "a = 2; a * a"\n```\n'
    guide = Guide(ROOT, told={path: text})
    figure = stashed(guide, path)
    carried = figure.partition('<script type="application/json">')[2]
    given = json.loads(carried.partition("</script>")[0])
    (widget,) = Widget.on(guide.read(path))
    assert given["parameters"] == {"expression": "a = 2; a * a"}
    assert given["result"] == widget.content(guide)
