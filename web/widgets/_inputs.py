"""What readers may type into widgets: checked here, refused in one sentence."""


def whole(number: int, name: str, lowest: int, highest: int) -> int:
    """Return a whole number within limits; ValueError if it is none."""
    if not lowest <= number <= highest:
        raise ValueError(f"{name}: choose from {lowest:,} to {highest:,}")
    return number
