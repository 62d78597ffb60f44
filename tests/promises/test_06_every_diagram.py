"""Every diagram of a graph equals the live graph, as drawn too.

`pytest docs` compares what stands in the Markdown with the live graph.
"""

import re

from tests.promises.site import Site

NODE = re.compile(r'(\w+)(?:\[|\(\[?)"(.+?)"')
EDGE = re.compile(r"^\s*(\w+)\S* --\S*?(?:\|(.*?)\|)? +(\w+)", re.MULTILINE)


def test_a_drawing_shows_each_node_and_edge_of_its_source(site: Site) -> None:
    drawn = 0
    for page in site.pages:
        fences = [f for f in page.source.fences if f.language == "mermaid"]
        figures = page.article.select("figure.diagram")
        assert len(figures) == len(fences), page.source.path
        for figure, fence in zip(figures, fences, strict=True):
            labels = dict(NODE.findall(fence.text))
            svg = figure.select_one("svg")
            assert svg is not None
            shown = {
                str(node["data-id"]): "".join(node.get_text().split())
                for node in svg.select(".node")
            }
            wanted = {
                name: "".join(re.sub(r"<br ?/?>", " ", text).split())
                for name, text in labels.items()
            }
            assert shown == wanted, f"{page.source.path}:{fence.line}"
            edges = sorted(
                (str(e["data-from"]), e.get_text().strip(), str(e["data-to"]))
                for e in svg.select(".edge")
            )
            assert edges == sorted(EDGE.findall(fence.text)), page.source.path
            text = figure.select_one("pre.diagram-source")
            assert text is not None and text.get_text() == fence.text
            drawn += 1
    assert drawn
