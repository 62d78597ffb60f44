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

TEST_CODE_TEMPLATE = "from weave.pytest_blocks import check_chain_or_rest; check_chain_or_rest({!r}, {!r}, {!r})"


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test for each chain of blocks of a page, after one for the rest of it.

    pytest-codeblocks calls this with the path of every Markdown file.
    """
    path = Path(path).resolve()
    root = next((p for p in path.parents if (p / "mkdocs.yml").exists()), path.parent)
    page_path = path.relative_to(root)
    names = str(root), str(page_path)
    page = load_guide(names[0]).read_page(page_path)
    tests = [CodeBlock(TEST_CODE_TEMPLATE.format(*names, None), 1, "python")]
    for chain in find_block_chains(page):
        if chain.blocks or chain.missing_libraries:
            code, library = (
                TEST_CODE_TEMPLATE.format(*names, chain.number),
                chain.library,
            )
            test = CodeBlock(code, chain.line, "python", importorskip=library or None)
            tests.append(test)
    return tests


def check_chain_or_rest(root: str, path: str, chain_number: int | None) -> None:
    """Run one chain of a page, or the rest of the page, and compare the results.

    Args:
        root: The folder of the project.
        path: The path of the page, relative to it.
        chain_number: The number of the chain; None for all on the page but its chains.

    Raises:
        WeaveErrors: Something is not true.
    """
    guide = load_guide(root)
    page, results = guide.read_page(Path(path)), RunResults()
    is_rest = chain_number is None
    for chain in find_block_chains(page):
        if chain.number == chain_number or (is_rest and not chain.blocks):
            results.add(run_chain(guide, chain))
    if is_rest:
        results.session_outputs = run_sessions(guide, page)
    report = Report()
    report.add(check_page(guide, page, results, only_results=not is_rest))
    report.raise_if_any_findings()


@cache
def load_guide(root: str) -> Guide:
    """Return the guide of a project, loaded once for all tests."""
    return Guide(Path(root))
