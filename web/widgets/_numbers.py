"""Numbers as pages carry them: no longer than readers see them."""


def shown(x: float, decimals: int = 4) -> float:
    """Return a number as readers see it: browsers would round a tie otherwise."""
    return round(x, decimals)


def significant(x: float, digits: int = 3) -> float:
    """Return a number with a few significant digits; no zero has a sign."""
    return float(f"{x:.{digits}g}") + 0.0


def counted(count: int, noun: str) -> str:
    """Return how many there are of something, in words."""
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
