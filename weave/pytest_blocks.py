"""The blocks of a page, as pytest-codeblocks runs them.

Its own reader skips in silence what it does not recognise, and knows one output for a
whole chain of blocks, which it runs in pytest's own process. `conftest.py` puts this
reader in its place: a test is a chain, which runs and is compared as `weave check` does.
"""

from functools import cache
from pathlib import Path

from pytest_codeblocks.main import CodeBlock

from weave.check import check_page
from weave.corrections import Report
from weave.guide import Guide
from weave.results import RunResults
from weave.run_blocks import find_chains, run_chain, run_sessions

TEST_CODE = "from weave.pytest_blocks import check_chain; check_chain({!r}, {!r}, {!r})"


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test for each chain of blocks of a page, after one for all else on it."""
    path = Path(path).resolve()
    root = next((p for p in path.parents if (p / "mkdocs.yml").exists()), path.parent)
    place = str(root), str(path.relative_to(root))
    page = load_guide(place[0]).read_page(Path(place[1]))
    tests = [CodeBlock(TEST_CODE.format(*place, None), 1, "python")]
    for chain in find_chains(page):
        if chain.blocks or chain.missing_libraries:
            code, library = (
                TEST_CODE.format(*place, chain.number),
                chain.library or None,
            )
            test = CodeBlock(code, chain.line, "python", importorskip=library)
            tests.append(test)
    return tests


def check_chain(root: str, path: str, number: int | None) -> None:
    """Raise WeaveErrors where a chain of a page, or all else on the page, is not true."""
    guide = load_guide(root)
    page, results, all_else = guide.read_page(Path(path)), RunResults(), number is None
    for chain in find_chains(page):
        if chain.number == number or (all_else and not chain.blocks):
            results.add(run_chain(guide, chain))
    if all_else:
        results.session_outputs = run_sessions(guide, page)
    report = Report()
    report.add(check_page(guide, page, results, all_of_it=all_else))
    report.raise_if_any()


@cache
def load_guide(root: str) -> Guide:
    """Return the guide that a run of pytest is about."""
    return Guide(Path(root))
