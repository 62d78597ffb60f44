"""The running mean that Adam keeps of a gradient: how steady it is, and how late."""

from typing import Literal, get_args

LARGEST = 0.99  # a β, so that something happens within the steps

Series = Literal["jump", "noise", "gradient"]


def running_mean(beta: float, series: Series, corrected: bool) -> None:
    """Refuse what makes no mean; the browser has the gradients."""
    if not 0 <= beta <= LARGEST:
        raise ValueError(f"β: choose from 0 to {LARGEST}")
    if series not in get_args(Series):
        raise ValueError(f"series: choose {', '.join(get_args(Series))}")
