"""What readers may type into widgets: checked here, refused in one sentence."""

import math


def whole(number: float, name: str, lowest: int, highest: int) -> int:
    """Return a whole number within limits; ValueError if it is none."""
    if not math.isfinite(number) or number != int(number):
        raise ValueError(f"{name}: a whole number is needed")
    if not lowest <= number <= highest:
        raise ValueError(f"{name}: choose from {lowest:,} to {highest:,}")
    return int(number)
