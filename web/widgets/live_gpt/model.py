"""A whole GPT learns names while you watch, and finishes the name that you begin.

What learns is the C engine, in the browser; Python only knows the run that stands there
until it has.
"""

from typing import TypedDict

from widgets.trainer.model import recorded


class LiveGpt(TypedDict):
    """The run that the browser repeats."""

    run: object


def live_gpt() -> LiveGpt:
    """Return the run as it was recorded."""
    return LiveGpt(run=recorded("adam-30k"))
