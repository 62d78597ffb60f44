"""Tests of the blocks of pages, for the pytest plug-in pytest-codeblocks.

The plug-in's own reader silently skips what it does not recognise, allows one output for
a whole chain of blocks, and runs the chain in pytest's own process. `conftest.py` puts
`extract_from_file` in its place: each test is a chain, which is run and compared as
`weave check` does.
"""

from functools import cache
from pathlib import Path

from pytest_codeblocks.main import CodeBlock

from weave.check import check_page
from weave.corrections import Report
from weave.guide import Guide
from weave.results import RunResults
from weave.run_blocks import find_block_chains, run_chain, run_sessions

TEST_CODE_TEMPLATE = "import weave.pytest_blocks as blocks; blocks.{}{!r}"


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test of each chain of blocks, after one of all else on the page.

    pytest-codeblocks calls this with the path of every Markdown file.
    """
    path = Path(path).resolve()
    root = next((p for p in path.parents if (p / "mkdocs.yml").exists()), path.parent)
    location = str(root), str(path.relative_to(root))
    page = load_guide(location[0]).read_page(path.relative_to(root))
    code = TEST_CODE_TEMPLATE.format("check_rest_of_page", location)
    tests = [CodeBlock(code, 1, "python")]
    for chain in find_block_chains(page):
        if chain.blocks or chain.missing_libraries:
            code = TEST_CODE_TEMPLATE.format("check_chain", (*location, chain.index))
            library = chain.library or None
            tests.append(CodeBlock(code, chain.line, "python", importorskip=library))
    return tests


def check_chain(root: str, path: str, index: int) -> None:
    """Run a chain of blocks of a page, by its index, and compare its results.

    Raises:
        WeaveErrors: Something is not true.
    """
    guide = load_guide(root)
    page = guide.read_page(Path(path))
    results = run_chain(guide, find_block_chains(page)[index])
    Report(check_page(guide, page, results, only_results=True)).raise_if_any_findings()


def check_rest_of_page(root: str, path: str) -> None:
    """Run the sessions of a page, and check all that is not in a chain of blocks.

    Raises:
        WeaveErrors: Something is not true.
    """
    guide = load_guide(root)
    page = guide.read_page(Path(path))
    results = RunResults(session_outputs=run_sessions(guide, page))
    for chain in find_block_chains(page):
        if not chain.blocks:
            results.add(run_chain(guide, chain))
    Report(check_page(guide, page, results)).raise_if_any_findings()


@cache
def load_guide(root: str) -> Guide:
    """Return the guide of a project, loaded once for all tests."""
    return Guide(Path(root))
