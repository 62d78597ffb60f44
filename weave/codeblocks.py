"""The blocks of a page, as pytest-codeblocks runs them.

Its own reader skips in silence what it does not recognise, and knows one output for a
whole chain of blocks. `conftest.py` puts this reader in its place; its runner stays.
"""

from __future__ import annotations

from pathlib import Path

from pytest_codeblocks.main import CodeBlock

from weave.kinds import fences
from weave.kinds.block import Block
from weave.page import read_page


def extract_from_file(path: str | Path) -> list[CodeBlock]:
    """Return a test for each chain of blocks of a page.

    Between blocks the test prints a line that names the next one, so that what each
    prints is compared with what stands beneath it.
    """
    path = Path(path)
    page = read_page(path, path.read_text(encoding="utf-8"))
    chains: dict[int, list[Block]] = {}
    fences(page)  # refuses what is not understood
    for block in Block.on(page):
        chains.setdefault(block.chain, []).append(block)
    return [_test(chain) for chain in chains.values()]


def _test(chain: list[Block]) -> CodeBlock:
    code, expected = "", ""
    library = None
    for block in chain:
        if block.skipped:
            continue
        heading = f"--- the block of line {block.fence.line} prints"
        library = block.library or library
        code += f"print({heading!r})\n{block.text}\n"
        expected += f"{heading}\n{block.output.fence.text if block.output else ''}"
    first = chain[0]
    marks = []
    if not code:
        assert first.skipped
        marks = [f"pytest.mark.skip(reason={first.skipped.argument!r})"]
    return CodeBlock(
        code,
        first.fence.line,
        "python",
        expected,
        importorskip=library,
        marks=marks,
    )
