"""Every Python block in the built HTML was run, or is waived with a reason."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest_codeblocks.plugin
from bs4 import Tag

from tests.processes import python
from tests.promises.site import ROOT, Site
from tests.thorough import nightly
from weave.codeblocks import extract_from_file
from weave.guide import Guide
from weave.kinds.block import LIBRARIES, Block
from weave.kinds.exercise import Exercise


def code_of(element: Tag) -> str:
    return element.get_text()


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
            code_of(code)
            for code in page.article.select(".cell .highlight code")
            if isinstance(code, Tag) and not code.css.closest(".exercise")
        ]
        assert shown == blocks, page.source.path
        programs = [code_of(c) for c in page.article.select(".exercise code")]
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


def run_alone(program: str) -> str:
    """Return what a program prints in a process and a folder of its own."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "copied.py")
        file.write_text(program, encoding="utf-8")
        run = python(file.name, cwd=Path(folder), PYTHONPATH=str(ROOT))
    assert run.returncode == 0, run.stderr
    return run.stdout


def copied(site: Site) -> Iterator[tuple[str, Block]]:
    """Yield what each copy button copies, and its block."""
    for page in site.pages:
        buttons = page.article.select(".cell:not([data-exercise]) > button")
        for button, block in zip(buttons, Block.on(page.source), strict=True):
            yield str(button["data-clipboard-text"]), block


def test_a_copy_button_copies_all_that_the_block_needs(site: Site) -> None:
    """Which `pytest docs` has run so, one block after the other."""
    texts = list(copied(site))
    assert texts
    for text, block in texts:
        assert text == "\n".join(part.text for part in block.program())


@nightly
def test_what_is_copied_runs_alone_and_prints_what_the_page_shows(site: Site) -> None:
    longest: dict[Path, tuple[str, Block]] = {}  # of each folder
    for text, block in copied(site):
        folder = block.page.path.parent
        runs = all(part.runs_here for part in block.program())
        if runs and len(text) > len(longest.get(folder, ("",))[0]):
            longest[folder] = text, block
    assert longest
    for text, block in longest.values():
        outputs = [
            part.output.fence.text if part.output else "" for part in block.program()
        ]
        assert run_alone(text) == "".join(outputs), block.line


def test_a_block_that_is_not_run_says_why_on_the_page(site: Site) -> None:
    for page in site.pages:
        notes = page.article.get_text()
        for block in Block.on(page.source):
            if block.skipped:
                assert block.skipped.argument in notes
            elif block.library:
                assert f"needs {LIBRARIES[block.library]}" in notes
