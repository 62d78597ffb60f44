"""Names in code spans are looked up, and what a page names is never imported."""

import sys

from tests.weave.conftest import Project
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
