"""A whole GPT learns names while you watch, and finishes the name that you begin.

What learns is the C engine, in the browser; Python only knows the run that stands there
until it has.
"""

from widgets.trainer.model import TrainerRun, recorded


class LiveGpt(TrainerRun):
    """The run that the browser repeats."""


def live_gpt() -> LiveGpt:
    """Return the run as it was recorded."""
    run = recorded("home")
    return LiveGpt(begun=run["begun"], moments=run["moments"], broken=run["broken"])
