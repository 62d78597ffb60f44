"""Pages say why code cannot run there, and what to do instead."""

import pytest

from runtime import runner
from tests.runtime.test_runner import run_blocks

RUN_LOCALLY = "copy the program and run it with Python on your own machine."
# Blocks by the last line of their traceback. Some raise an error themselves, since
# only a browser would raise it.
BLOCKS_BY_MESSAGE = {
    "OSError: nobody can type here: write the answer into the code": [
        "input()",
        "import sys; sys.stdin.read()",
    ],
    "Nobody can type here: write the answer into the code.": ["raise EOFError"],
    f"A page can't run asyncio's event loop: {RUN_LOCALLY}": [
        "raise RuntimeError('No suspender: cannot stack switch')"
    ],
    f"A block can't start threads or processes: call the function, or {RUN_LOCALLY}": [
        'raise RuntimeError("can\'t start new thread")',
        "raise ModuleNotFoundError(\"No module named '_multiprocessing'\")",
    ],
    f"A block can't reach the network: write the data into it, or {RUN_LOCALLY}": [
        "raise OSError('Socket not connected')"
    ],
    "A page has microgpt and Python's standard library, and can't install more: "
    f"{RUN_LOCALLY}": ["import pandas_", "!pip install pandas"],
    "Each run starts in an empty folder: write the file first, or call "
    "microgpt.load_names() for the names.": ["open('names.txt')"],
    "Calls are nested too deeply: check what ends the recursion, or use a loop.": [
        "def f(): return f()\nf()"
    ],
    "The program ended itself here: remove the call that exits to run the rest.": [
        "exit()"
    ],
    f"A page has less memory than your machine: keep less data, or {RUN_LOCALLY}": [
        "bytearray(10**18)"
    ],
    # Errors that Python on a machine raises, too, have no advice.
    "ModuleNotFoundError: No module named 'microgpt.nowhere'": [
        "import microgpt.nowhere"
    ],
    "NotImplementedError: not implemented": [
        "raise NotImplementedError('not implemented')"
    ],
}


@pytest.mark.parametrize("message", BLOCKS_BY_MESSAGE)
def test_traceback_of_unsupported_code_ends_with_its_message(message: str) -> None:
    for block in BLOCKS_BY_MESSAGE[message]:
        assert run_blocks(block)[0]["traceback"].splitlines()[-1] == message


def test_every_advice_of_the_runner_is_tested() -> None:
    assert set(runner.ADVICE_BY_ERROR.values()) <= BLOCKS_BY_MESSAGE.keys()
