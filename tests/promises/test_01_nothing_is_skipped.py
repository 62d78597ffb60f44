"""Every Python block in the built HTML was run, or is waived with a reason."""

import pytest_codeblocks.plugin

from tests.processes import python
from tests.promises.site import Site
from weave.codeblocks import extract_from_file
from weave.guide import Guide
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.exercise import Exercise


def test_pytest_runs_the_blocks_that_the_strict_reader_finds(guide: Guide) -> None:
    assert pytest_codeblocks.plugin.extract_from_file is extract_from_file
    collect = ("-m", "pytest", "--collect-only", "-q", "-p", "no:xdist")
    run = python(*collect, "-o", "addopts=", "--codeblocks", "docs")
    chains = [
        f"{page.path.as_posix()}::line {block.line}"
        for page in guide.pages.values()
        for block in Block.on(page)
        if not block.continues
    ]
    assert chains
    assert not set(chains).difference(run.stdout.splitlines())


def test_every_code_element_of_the_site_is_of_a_kind_that_is_checked(
    site: Site, guide: Guide
) -> None:
    for page in site.pages:
        blocks = [block.text for block in Block.on(page.source)]
        shown = [
            code.get_text()
            for code in page.article.select(".cell .highlight code")
            if not code.css.closest(".exercise")
        ]
        assert shown == blocks, page.source.path
        programs = [c.get_text() for c in page.article.select(".exercise code")]
        expected = [
            program
            for exercise in Exercise.on(page.source)
            for programs in [exercise.content(guide)]
            for program in (programs.start, programs.solution)
        ]
        assert programs == expected, page.source.path
        for pre in page.article.select("pre"):
            kinds = ".cell .highlight, .exercise, .output, .listing, .changes, .diagram-source"
            known = pre.css.closest(kinds) or pre.css.closest(".shown")
            assert known, f"{page.source.path} shows code that nothing checks: {pre}"


def test_a_copy_button_copies_all_that_the_block_needs(site: Site) -> None:
    """Which `pytest docs` has run so, one block after the other."""
    compared = 0
    for page in site.pages:
        buttons = page.article.select(".cell:not([data-exercise]) > button")
        for button, block in zip(buttons, Block.on(page.source), strict=True):
            needed = "\n".join(part.text for part in block.program())
            assert button["data-clipboard-text"] == needed
            compared += 1
    assert compared


def test_a_block_that_is_not_run_says_why_on_the_page(site: Site) -> None:
    for page in site.pages:
        notes = page.article.get_text()
        for block in Block.on(page.source):
            if block.skipped:
                assert block.skipped.argument in notes
            elif block.library:
                assert f"needs {LIBRARIES[block.library]}" in notes
