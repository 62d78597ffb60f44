"""Anchors, links and search entries of blocks and listings."""

import re
from pathlib import Path

from tests.weave.conftest import Project, render_markdown_and_html
from weave.fences.base import RenderContext
from weave.fences.listing import Listing

PAGE_WITH_CODE = """\
# A page

```source
microgpt.autograd:Value.log
```

```python
x = 1
```

<!--weave:unchecked a command to type-->
```console
ls
```

```changes
snippets.step1:train -> snippets.step2:train
```
"""


def test_every_block_has_an_anchor_and_a_link_to_it(project: Project) -> None:
    project.page(PAGE_WITH_CODE)
    html = render_markdown_and_html(project.guide, Path("docs/two/first.md"))[1]
    anchors = "listing-value-log", "block-1", "console-1", "changes-1"
    assert re.findall(r'class="block-link" href="#([^"]+)"', html) == [*anchors]
    for anchor in anchors:
        assert html.count(f' id="{anchor}"') == 1


def test_listing_is_searchable_only_on_its_explaining_page(project: Project) -> None:
    project.page(PAGE_WITH_CODE)
    project.page(PAGE_WITH_CODE, "docs/two/second.md")
    home = render_markdown_and_html(project.guide, Path("docs/two/first.md"))[1]
    other = render_markdown_and_html(project.guide, Path("docs/two/second.md"))[1]
    assert '<h6 role="none" class="names" id="listing-value-log-code">Value.log' in home
    assert 'id="listing-value-log">' in home
    assert 'id="listing-value-log" data-search-exclude>' in other
    assert "<h6" not in other


def test_names_differing_only_in_case_have_different_anchors(project: Project) -> None:
    fence = "```source\nmicrogpt/engines/gpt.c:{}\n```\n"
    page = project.page("# A\n\n" + "\n".join(map(fence.format, ["Grid", "grid"])))
    listings = Listing.find_on_page(page)
    assert [x.anchor for x in listings] == ["listing-grid", "listing-grid-2"]


def test_listing_highlights_folds_and_links_to_its_file(project: Project) -> None:
    body = "microgpt/engines/gpt.c:view\n> return (View){data, columns, 1};\n? Where <it> is"
    page = project.page(f"# A\n\n```source\n{body}\n```\n")
    (listing,) = Listing.find_on_page(page)
    opening, *code, closing = listing.render(RenderContext(project.guide, page, str))
    first = listing.source_span(project.guide).first
    assert f'```c linenums="{first}" hl_lines="2"' in code
    assert f'source/engines-gpt/#L{first}"' in opening
    assert "<details" in opening
    assert "<summary>Where &lt;it&gt; is</summary><figure" in opening
    assert closing.endswith("</figure></details>")
