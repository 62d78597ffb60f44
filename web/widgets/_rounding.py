"""Numbers as pages carry them: with no more digits than readers see."""


def round_significant(x: float, digits: int = 3) -> float:
    """Round to significant digits; 0 never has a minus sign."""
    return float(f"{x:.{digits}g}") + 0.0
