"""Names in code spans are looked up, and what a page names is never imported."""

import sys

import pytest

from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.findings import Results
from weave.prose.names import Names


def test_a_module_that_a_page_names_is_read_and_not_imported(project: Project) -> None:
    known = "`colorsys.rgb_to_hsv`, `this.s`, `antigravity.geohash`, `xml.etree`"
    unknown = "`colorsys.to_hsv`, `this.zen`, `antigravity.fly`, `xml.tree`"
    page = project.page(f"# A\n\n{known}\n\n{unknown}\n")
    found = "\n".join(map(str, Names().check(project.guide, page, Results())))
    for name in ("colorsys.to_hsv", "this.zen", "antigravity.fly", "xml.tree"):
        assert f"'{name}' stands in a code span but in no code" in found
    for name in ("colorsys.rgb_to_hsv", "this.s", "antigravity.geohash", "xml.etree"):
        assert f"'{name}'" not in found
    assert not {"this", "antigravity"} & sys.modules.keys()


@pytest.mark.parametrize("content", [b"# \xff\n", b"def f(:\n", b"x = 1\0\n"])
def test_code_that_cannot_be_read_is_named(project: Project, content: bytes) -> None:
    (project.root / "microgpt/new.py").write_bytes(content)
    page = project.page("# A\n\nSee `Value.data`.\n")
    with pytest.raises(WeaveError, match=r"^microgpt/new.py:"):
        list(Names().check(project.guide, page, Results()))


def test_links_that_lead_nowhere_folders_and_byte_order_marks_are_no_code(
    project: Project,
) -> None:
    autograd = project.root / "microgpt/autograd.py"
    autograd.write_text("\ufeff" + autograd.read_text("utf-8"), "utf-8")
    (project.root / "microgpt/gone.py").symlink_to("nowhere")
    (project.root / "microgpt/folder.py").mkdir()
    page = project.page("# A\n\nSee `Value.data`.\n")
    assert list(Names().check(project.guide, page, Results())) == []
    assert project.guide.find("microgpt.autograd:Value.backward").lines
