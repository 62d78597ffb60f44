"""What a page tells readers whose code cannot run there: why, and what to do instead."""

import pytest

from runtime import runner
from tests.runtime.test_runner import run_blocks

LOCALLY = "copy the program and run it with Python on your own machine."
NO_THREADS = (
    f"A block can't start threads or processes: call the function, or {LOCALLY}"
)
NO_NETWORK = f"A block can't reach the network: write the data into it, or {LOCALLY}"
NO_PACKAGES = (
    "A page has microgpt and Python's standard library, and can't install more: "
    f"{LOCALLY}"
)
EMPTY_FOLDER = (
    "Each run starts in an empty folder: write the file first, or call "
    "microgpt.load_names() for the names."
)
RECURSION = "Calls are nested too deeply: check what ends the recursion, or use a loop."
EXIT = "The program ended itself here: remove the call that exits to run the rest."
MEMORY = f"A page has less memory than your machine: keep less data, or {LOCALLY}"

# A block, and the last line of its traceback. Where a browser raises what Python on a
# machine doesn't, the block raises it itself.
MESSAGES = {
    "input()": "OSError: nobody can type here: write the answer into the code",
    "import sys; sys.stdin.read()": (
        "OSError: nobody can type here: write the answer into the code"
    ),
    "raise EOFError": "Nobody can type here: write the answer into the code.",
    "raise RuntimeError('No suspender: cannot stack switch')": (
        f"A page can't run asyncio's event loop: {LOCALLY}"
    ),
    'raise RuntimeError("can\'t start new thread")': NO_THREADS,
    "raise ModuleNotFoundError(\"No module named '_multiprocessing'\")": NO_THREADS,
    "raise OSError('Socket not connected')": NO_NETWORK,
    "import pandas_": NO_PACKAGES,
    "!pip install pandas": NO_PACKAGES,
    "open('names.txt')": EMPTY_FOLDER,
    "def f(): return f()\nf()": RECURSION,
    "exit()": EXIT,
    "bytearray(10**18)": MEMORY,
}
# Errors that a machine raises as well have no advice.
ERRORS_WITHOUT_ADVICE = {
    "import microgpt.nowhere": (
        "ModuleNotFoundError: No module named 'microgpt.nowhere'"
    ),
    "raise NotImplementedError('not implemented')": (
        "NotImplementedError: not implemented"
    ),
}


@pytest.mark.parametrize("block", MESSAGES | ERRORS_WITHOUT_ADVICE)
def test_traceback_ends_with_the_message(block: str) -> None:
    message = (MESSAGES | ERRORS_WITHOUT_ADVICE)[block]
    assert run_blocks(block)[0]["traceback"].splitlines()[-1] == message


def test_table_holds_all_advice_of_the_runner() -> None:
    assert set(runner.ADVICE_BY_ERROR.values()) <= set(MESSAGES.values())
