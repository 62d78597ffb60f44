"""Every output shown is what the block above it prints.

`pytest docs` runs the blocks and compares what they print with the Markdown.
"""

from tests.promises.site import Site
from weave.kinds.block import Block


def test_outputs_of_the_built_site_are_those_of_the_markdown(site: Site) -> None:
    compared = 0
    for page in site.pages:
        outputs = [b.output.fence.text for b in Block.on(page.source) if b.output]
        shown = [pre.get_text() for pre in page.article.select(".cell > pre.output")]
        assert shown == outputs, page.source.path
        compared += len(shown)
    assert compared
