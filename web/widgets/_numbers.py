"""Numbers as pages carry them: no longer than readers see them."""


def significant(x: float, digits: int = 3) -> float:
    """Return a number with a few significant digits; no zero has a sign."""
    return float(f"{x:.{digits}g}") + 0.0
