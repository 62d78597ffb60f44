"""The blocks of a page, as pytest-codeblocks runs them.

Its own reader skips in silence what it does not recognise, and knows one output for a
whole chain of blocks. `conftest.py` puts this reader in its place, and lets its runner
run each chain in a process of its own. What a page states besides outputs, such as
numbers and graphs, is compared in the same run, so no other test needs to run the blocks.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_codeblocks.main import CodeBlock
from pytest_codeblocks.plugin import TestBlock

from weave.check import findings
from weave.findings import Report, Results
from weave.page import read_page
from weave.run import Chain, ask, chains, import_project, ran, run_alone

PREPARE = "import weave.run; weave.run.import_project({!r})\n"
COMPARE = "import weave.codeblocks; weave.codeblocks.compare(*{!r}, globals())\n"


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test for each chain of blocks of a page, after one for all else on it.

    Between blocks the test prints a line that names the next one, so that what each
    prints is compared with what stands beneath it.
    """
    path = Path(path).resolve()
    root = next((p for p in path.parents if (p / "mkdocs.yml").exists()), path.parent)
    page = read_page(path.relative_to(root), path.read_text(encoding="utf-8-sig"))
    place = (str(root), str(page.path))
    tests = [CodeBlock(COMPARE.format((*place, None)), 1, "python", "")]
    for chain in chains(page):
        if chain.blocks:
            tests.append(_test(chain, *place))
    return tests


def _test(chain: Chain, root: str, path: str) -> CodeBlock:
    first, expected, marks = chain.blocks[0], "", []
    code = PREPARE.format(root)
    for block in chain.blocks:
        if block.runs_here:
            heading = f"--- the block of line {block.line} prints"
            code += f"print({heading!r})\n{block.text}\n"
            expected += f"{heading}\n{block.output.fence.text if block.output else ''}"
    if first.skipped and all(block.skipped for block in chain.blocks):
        marks = [f"pytest.mark.skip(reason={first.skipped.argument!r})"]
    library = first.library or None
    expects: dict[str, Any] = {"importorskip": library, "expected_output": expected}
    code += COMPARE.format((root, path, chain.number))
    return CodeBlock(code, first.line, "python", marks=marks, **expects)


@dataclass
class Test:
    """What the runner of pytest-codeblocks reads of a test."""

    name: str
    obj: CodeBlock

    def run(self) -> None:
        """Let that runner run it, in a process of its own; raise what it raises."""
        run_alone(TestBlock.runtest, self)


def compare(root: str, path: str, number: int | None, names: dict[str, Any]) -> None:
    """Raise WeaveErrors where a page is not true, given the names of a chain's blocks.

    Without the number of a chain, compare what no block has to run for.
    """
    known = import_project(root)
    guide = known["guide"]
    page = guide.read(Path(path))
    results = Results()
    if number is None:
        results.ran = ran(guide.root, page)
    for chain in chains(page):
        runs = any(block.runs_here for block in chain.blocks)
        if chain.number == number or (number is None and not runs):
            ask(known, chain, names, results)
    report = Report([], [])
    report.add(findings(guide, page, results, all_of_it=number is None))
    report.raise_if_any()
