"""A search through the names: how many have a piece in them, and which."""

from typing import Literal


def dataset(piece: str, where: Literal["anywhere", "start", "end"]) -> None:
    """Return nothing: the browser has the names, and searches itself."""
