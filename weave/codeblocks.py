"""The blocks of a page, as pytest-codeblocks runs them.

Its own reader skips in silence what it does not recognise, and knows one output for a
whole chain of blocks. `conftest.py` puts this reader in its place; its runner stays.
What a page states besides outputs, such as numbers and graphs, is compared in the same
run, so no other test needs to run the blocks.
"""

from functools import cache
from pathlib import Path
from typing import Any

from pytest_codeblocks.main import CodeBlock

from weave.check import findings
from weave.findings import Report, Results
from weave.guide import Guide
from weave.kinds.block import Block
from weave.page import read_page
from weave.run import ask, chains, ran

COMPARE = "import weave.codeblocks; weave.codeblocks.compare(*{!r}, globals())\n"


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test for each chain of blocks of a page, after one for all else on it.

    Between blocks the test prints a line that names the next one, so that what each
    prints is compared with what stands beneath it.
    """
    path = Path(path).resolve()
    root = next((p for p in path.parents if (p / "mkdocs.yml").exists()), path.parent)
    page = read_page(path.relative_to(root), path.read_text(encoding="utf-8"))
    place = (str(root), str(page.path))
    tests = [CodeBlock(COMPARE.format((*place, None)), 1, "python", "")]
    for chain in chains(page):
        if chain.blocks:
            tests.append(_test(chain.blocks, COMPARE.format((*place, chain.number))))
    return tests


def _test(chain: list[Block], compare: str) -> CodeBlock:
    first, code, expected = chain[0], "", ""
    library, marks = None, []
    for block in chain:
        if block.skipped:
            continue
        heading = f"--- the block of line {block.line} prints"
        library = block.library or library
        code += f"print({heading!r})\n{block.text}\n"
        expected += f"{heading}\n{block.output.fence.text if block.output else ''}"
    if not code:  # what is said of it is compared by the page's first test
        assert first.skipped
        marks = [f"pytest.mark.skip(reason={first.skipped.argument!r})"]
    code += compare
    expects = {"expected_output": expected, "importorskip": library, "marks": marks}
    return CodeBlock(code, first.line, "python", **expects)


def compare(root: str, path: str, number: int | None, names: dict[str, Any]) -> None:
    """Raise WeaveErrors where a page is not true, given the names of a chain's blocks.

    Without the number of a chain, compare what no block has to run for.
    """
    guide = _guide(Path(root))
    page = guide.read(Path(path))
    results = Results()
    if number is None:
        results.ran = ran(guide.root, page)
    for chain in chains(page):
        runs = any(block.runs_here for block in chain.blocks)
        if chain.number == number or (number is None and not runs):
            ask(guide, chain, names, results)
    report = Report([], [])
    report.add(findings(guide, page, results, all_of_it=number is None))
    report.raise_if_any()


@cache
def _guide(root: Path) -> Guide:
    return Guide(root)
