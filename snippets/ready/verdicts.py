"""What can be said of a switch of What if? by its recorded losses."""

from typing import Any

MUCH_HIGHER = 0.15  # a loss that grows by more than this is much higher


def verdict(losses: list[Any], more: float | None, error: float | None) -> str:
    """Return whether the loss is lower, higher, much higher, or neither."""
    if more is None or error is None:
        return "breaks down"
    if abs(round(more, 4)) <= round(error, 4):  # as pages show them
        return "can't tell"
    if more < 0:
        return "lower"
    return "higher" if more < MUCH_HIGHER else "much higher"


def verdict_sentence(losses: list[Any], more: float, error: float) -> str:
    """Return a verdict as the page words it, with what it rests on."""
    match verdict(losses, more, error):
        case "can't tell":
            answer = f"Can't tell them apart: {more:.4f}".replace("-", "−")
        case "much higher":
            answer = f"Much higher, by {more:.4f}"
        case answer:
            answer = f"{answer.capitalize()} by {abs(more):.4f}"
    return f"{answer} ± {error:.4f}"
