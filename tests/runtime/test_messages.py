"""What a page tells readers whose code cannot run there: why, and what to do instead."""

import pytest

from runtime import runner
from tests.runtime.test_runner import run_blocks

RUN_LOCALLY = "copy the program and run it with Python on your own machine."
THREADS_ADVICE = (
    f"A block can't start threads or processes: call the function, or {RUN_LOCALLY}"
)
NETWORK_ADVICE = (
    f"A block can't reach the network: write the data into it, or {RUN_LOCALLY}"
)
PACKAGES_ADVICE = (
    "A page has microgpt and Python's standard library, and can't install more: "
    f"{RUN_LOCALLY}"
)
EMPTY_FOLDER_ADVICE = (
    "Each run starts in an empty folder: write the file first, or call "
    "microgpt.load_names() for the names."
)
NESTING_ADVICE = (
    "Calls are nested too deeply: check what ends the recursion, or use a loop."
)
EXIT_ADVICE = (
    "The program ended itself here: remove the call that exits to run the rest."
)
MEMORY_ADVICE = (
    f"A page has less memory than your machine: keep less data, or {RUN_LOCALLY}"
)

# A block, and the last line of its traceback. Where a browser raises what Python on a
# machine doesn't, the block raises it itself.
MESSAGES = {
    "input()": "OSError: nobody can type here: write the answer into the code",
    "import sys; sys.stdin.read()": (
        "OSError: nobody can type here: write the answer into the code"
    ),
    "raise EOFError": "Nobody can type here: write the answer into the code.",
    "raise RuntimeError('No suspender: cannot stack switch')": (
        f"A page can't run asyncio's event loop: {RUN_LOCALLY}"
    ),
    'raise RuntimeError("can\'t start new thread")': THREADS_ADVICE,
    "raise ModuleNotFoundError(\"No module named '_multiprocessing'\")": THREADS_ADVICE,
    "raise OSError('Socket not connected')": NETWORK_ADVICE,
    "import pandas_": PACKAGES_ADVICE,
    "!pip install pandas": PACKAGES_ADVICE,
    "open('names.txt')": EMPTY_FOLDER_ADVICE,
    "def f(): return f()\nf()": NESTING_ADVICE,
    "exit()": EXIT_ADVICE,
    "bytearray(10**18)": MEMORY_ADVICE,
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
def test_traceback_of_unsupported_code_ends_with_its_message(block: str) -> None:
    message = (MESSAGES | ERRORS_WITHOUT_ADVICE)[block]
    assert run_blocks(block)[0]["traceback"].splitlines()[-1] == message


def test_every_advice_of_the_runner_is_tested() -> None:
    assert set(runner.ADVICE_BY_ERROR.values()) <= set(MESSAGES.values())
