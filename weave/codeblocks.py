"""The blocks of a page, as pytest-codeblocks runs them.

Its own reader skips in silence what it does not recognise, and its runner lets one block
change the next. `conftest.py` puts this reader in the reader's place; the tests that it
gives run each chain as `check` does, in a process of its own.
"""

from functools import cache
from pathlib import Path

from pytest_codeblocks.main import CodeBlock

from weave.check import findings
from weave.findings import Report
from weave.guide import Guide
from weave.page import read_page
from weave.run import Chain, chains, ran, run_page

COMPARE = "import weave.codeblocks; weave.codeblocks.compare(*{!r})\n"


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test for each chain of blocks of a page, after one for all else on it."""
    path = Path(path).resolve()
    root = next((p for p in path.parents if (p / "mkdocs.yml").exists()), path.parent)
    page = read_page(path.relative_to(root), path.read_text(encoding="utf-8-sig"))
    place = (str(root), str(page.path))
    tests = [CodeBlock(COMPARE.format((*place, None)), 1, "python", "")]
    for chain in chains(page):
        if chain.blocks:
            tests.append(_test(chain, COMPARE.format((*place, chain.number))))
    return tests


def _test(chain: Chain, compare: str) -> CodeBlock:
    first, marks = chain.blocks[0], []
    if first.skipped and all(block.skipped for block in chain.blocks):
        marks = [f"pytest.mark.skip(reason={first.skipped.argument!r})"]
    expects = {"importorskip": first.library or None, "marks": marks}
    return CodeBlock(compare, first.line, "python", "", **expects)


def compare(root: str, path: str, number: int | None) -> None:
    """Raise WeaveErrors where what a chain of blocks gives is not what a page says.

    Without the number of a chain, compare what no block has to run for.
    """
    guide = _guide(Path(root))
    page = guide.read(Path(path))
    idle = [c.number for c in chains(page) if not any(b.runs_here for b in c.blocks)]
    results = run_page(guide.root, page, idle if number is None else [number])
    if number is None:
        results.ran = ran(guide.root, page)
    report = Report([], [])
    report.add(findings(guide, page, results, all_of_it=number is None))
    report.raise_if_any()


@cache
def _guide(root: Path) -> Guide:
    return Guide(root)
