"""Every Python block in the built HTML was run, or is waived with a reason."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys

import pytest_codeblocks.plugin
from bs4 import Tag

from tests.promises.site import ROOT, Site
from weave.codeblocks import extract_from_file
from weave.guide import Guide


def code_of(element: Tag) -> str:
    return element.get_text()


def test_pytest_runs_the_blocks_that_the_strict_reader_finds(guide: Guide) -> None:
    assert pytest_codeblocks.plugin.extract_from_file is extract_from_file
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist"]
    collect += ["-o", "addopts=", "--codeblocks", "docs"]
    listed = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True).stdout
    chains = [
        f"{page.path.as_posix()}::line {block.fence.line}"
        for page in guide.pages.values()
        for block in page.blocks
        if not block.continues
    ]
    assert chains
    assert not set(chains).difference(listed.splitlines())


def test_every_code_element_of_the_site_is_of_a_kind_that_is_checked(
    site: Site,
) -> None:
    for page in site.pages:
        blocks = [block.fence.text for block in page.source.blocks]
        shown = [
            code_of(code)
            for code in page.article.select(".cell .highlight code")
            if isinstance(code, Tag)
        ]
        assert shown == blocks, page.source.path
        for pre in page.article.select("pre"):
            kinds = ".cell .highlight, .output, .listing, .changes, .diagram-source"
            known = pre.css.closest(kinds) or pre.css.closest(".shown")
            assert known, f"{page.source.path} shows code that nothing checks: {pre}"


def test_what_a_copy_button_copies_runs_and_prints_what_the_page_shows(
    site: Site,
) -> None:
    copied = 0
    for page in site.pages:
        for button, block in zip(
            page.article.select(".cell > button"), page.source.blocks, strict=True
        ):
            if any(part.skipped for part in block.program()):
                continue
            copied += 1
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(str(button["data-clipboard-text"]), {"__name__": "__main__"})
            outputs = [b.output.text if b.output else "" for b in block.program()]
            assert printed.getvalue() == "".join(outputs), page.source.path
    assert copied


def test_a_block_that_is_not_run_says_why_on_the_page(site: Site) -> None:
    for page in site.pages:
        notes = page.article.get_text()
        for block in page.source.blocks:
            if block.skipped:
                assert block.skipped.argument in notes
