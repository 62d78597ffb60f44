"""A whole GPT learns names while you watch, and finishes the name that you begin.

The C engine trains it in the browser; until then the page shows a recorded run.
"""

from typing import TypedDict

from widgets.trainer.model import recorded_run


class LiveGptRun(TypedDict):
    """The recorded run, which the browser trains again."""

    run: object


def live_gpt() -> LiveGptRun:
    """Return the recorded run."""
    return LiveGptRun(run=recorded_run("adam-30k"))
