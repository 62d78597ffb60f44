"""Verdicts on the switches of What if?, from their recorded losses."""

MUCH_HIGHER_THRESHOLD = 0.15  # the least increase of the loss, in nats


def verdict(difference: float | None, margin: float | None) -> str:
    """Classify a loss difference, given the half-width of its confidence interval."""
    if difference is None or margin is None:
        return "breaks down"
    if abs(round(difference, 4)) <= round(margin, 4):  # as pages show them
        return "can't tell"
    if difference < 0:
        return "lower"
    return "higher" if difference < MUCH_HIGHER_THRESHOLD else "much higher"


def verdict_sentence(difference: float, margin: float) -> str:
    """Return a verdict in the words of the page, with the difference and its margin."""
    match verdict(difference, margin):
        case "can't tell":
            answer = f"Can't tell them apart: {difference:.4f}".replace("-", "−")
        case "much higher":
            answer = f"Much higher, by {difference:.4f}"
        case answer:
            answer = f"{answer.capitalize()} by {abs(difference):.4f}"
    return f"{answer} ± {margin:.4f}"
