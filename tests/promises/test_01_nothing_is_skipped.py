"""The site shows all that `pytest docs` runs and compares, and no other code."""

import re

import pytest_codeblocks.plugin
from bs4 import Tag

from tests.built_site import Site
from tests.processes import run_python
from weave.fences.diff import Diff
from weave.fences.exercise import Exercise
from weave.fences.python_block import OPTIONAL_LIBRARIES, PythonBlock
from weave.guide import Guide
from weave.page import Page
from weave.prose.numbers import find_computed_numbers
from weave.pytest_blocks import extract_from_file

CHECKED_CODE_CSS = ".cell .highlight, .exercise, .output, .listing, .changes, .diagram-source, .unchecked-text"
MERMAID_NODE = re.compile(r'(\w+)(?:\[|\(\[?)"(.+?)"')
MERMAID_EDGE = re.compile(r"^\s*(\w+)\S* --\S*?(?:\|(.*?)\|)? +(\w+)", re.MULTILINE)


def test_pytest_collects_every_chain_of_blocks(guide: Guide) -> None:
    assert pytest_codeblocks.plugin.extract_from_file is extract_from_file
    collect = ("-m", "pytest", "--collect-only", "-q", "-p", "no:xdist")
    run = run_python(*collect, "-o", "addopts=", "--codeblocks", "docs")
    chains = [
        f"{page.path.as_posix()}::line {block.line}"
        for page in guide.pages.values()
        for block in PythonBlock.find_on_page(page)
        if not block.continued_block
    ]
    assert chains and not set(chains).difference(run.stdout.splitlines())


def collect_expected_texts(page: Page, guide: Guide) -> dict[str, list[str]]:
    """Map CSS selectors to the texts that a built page must show there."""
    exercises = [exercise.resolve(guide) for exercise in Exercise.find_on_page(page)]
    sides = [difference.diff_lines(guide) for difference in Diff.find_on_page(page)]
    blocks = PythonBlock.find_on_page(page)
    outputs = [b.expected_output for b in blocks if b.expected_output]
    return {
        ".cell:not(.exercise *) .highlight code": [b.fence.text for b in blocks],
        ".exercise code": [
            p for e in exercises for p in (e.starting_program, e.solution)
        ],
        ".cell > pre.output": [output.fence.text for output in outputs],
        "data:not(.recap *)": [n.text.strip("`") for n in find_computed_numbers(page)],
        ".changes pre code": ["".join(f"{x}\n" for x in side) for side in sides],
        "pre.diagram-source": [f.text for f in page.fences if f.language == "mermaid"],
    }


def test_page_shows_code_output_and_numbers_unchanged(site: Site, guide: Guide) -> None:
    seen: set[str] = set()
    for page in site.pages:
        for selector, texts in collect_expected_texts(page.source, guide).items():
            elements = page.article.select(selector)
            assert [each.get_text() for each in elements] == texts, page.source.path
            seen |= {selector} if texts else set()
        values = [data["value"] for data in page.article.select("data:not(.recap *)")]
        computed = [n.expression for n in find_computed_numbers(page.source)]
        assert values == computed, page.source.path
        for pre in page.article.select("pre"):
            assert pre.css.closest(CHECKED_CODE_CSS), f"nothing checks {pre}"
    assert len(seen) == 6


def test_copy_button_holds_the_whole_program(site: Site) -> None:
    for page in site.pages:
        buttons = page.article.select(".cell:not([data-exercise]) > button")
        blocks = PythonBlock.find_on_page(page.source)
        for button, block in zip(buttons, blocks, strict=True):
            needed = "\n".join(part.fence.text for part in block.blocks_to_run())
            assert button["data-clipboard-text"] == needed
            notes = page.article.get_text()
            if block.required_library:
                assert f"needs {OPTIONAL_LIBRARIES[block.required_library]}" in notes


def get_text_without_spaces(element: Tag) -> str:
    return "".join(element.get_text().split())


def test_diagram_shows_each_node_and_edge_of_its_source(site: Site) -> None:
    """`pytest docs` compares that source with the computed graph."""
    figures = [f for p in site.pages for f in p.article.select("figure.diagram")]
    assert figures
    for figure in figures:
        (source,) = (pre.get_text() for pre in figure.select("pre.diagram-source"))
        texts = re.sub(r"<br ?/?>", " ", source)
        labels = {name: "".join(x.split()) for name, x in MERMAID_NODE.findall(texts)}
        nodes = figure.select(".node")
        assert {n["data-id"]: get_text_without_spaces(n) for n in nodes} == labels
        edges = [
            (str(edge["data-from"]), edge.get_text().strip(), str(edge["data-to"]))
            for edge in figure.select("svg .edge")
        ]
        assert sorted(edges) == sorted(MERMAID_EDGE.findall(source))
