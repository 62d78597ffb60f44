"""Checks of the parameters that pages and readers give to widgets."""


def check_range(value: int, name: str, lowest: int, highest: int) -> int:
    """Return a whole number if it lies within limits, which are allowed themselves.

    Raises:
        ValueError: It lies outside. The message begins with the parameter's `name`.
    """
    if not lowest <= value <= highest:
        raise ValueError(
            f"{name}: expected a whole number from {lowest:,} to {highest:,},"
            f" got {value}"
        )
    return value
