"""Code that a page shows has a name of its own, a link, and a place in the search."""

from __future__ import annotations

import re
from pathlib import Path

from tests.weave.conftest import Project, stashed

CODE = """\
# A page

```source
microgpt.autograd:Value.log
```

```python
x = 1
```

<!--weave:shown a command to type-->
```console
ls
```

<!--weave:shown another-->
```console
cd
```

```changes
snippets.step1:train -> snippets.step2:train
```
"""


def test_every_block_has_an_anchor_and_a_link_to_it(project: Project) -> None:
    project.page(CODE)
    html = stashed(project.guide, Path("docs/two/first.md"))
    anchors = "listing-value-log", "block-1", "console-1", "console-2", "changes-1"
    assert re.findall(r'class="block-link" href="#([^"]+)"', html) == [*anchors]
    for anchor in anchors:
        assert html.count(f' id="{anchor}"') == 1


def test_the_search_reads_a_listing_where_it_is_explained_and_there_alone(
    project: Project,
) -> None:
    project.page(CODE)
    project.page(CODE, "docs/two/second.md")
    home, other = (
        stashed(project.guide, Path(f"docs/two/{page}.md"))
        for page in ("first", "second")
    )
    assert '<h6 role="none" class="names" id="listing-value-log-code">Value.log' in home
    assert 'id="listing-value-log">' in home
    assert 'id="listing-value-log" data-search-exclude>' in other
    assert "<h6" not in other
