"""Checks of the parameters that pages and readers give to widgets."""


def check_range(value: int, parameter_name: str, lowest: int, highest: int) -> int:
    """Return a whole number if it is from `lowest` to `highest`.

    Raises:
        ValueError: It is not. The message begins with `parameter_name`.
    """
    if not lowest <= value <= highest:
        raise ValueError(
            f"{parameter_name}: expected a whole number from {lowest:,} to {highest:,},"
            f" got {value}"
        )
    return value
