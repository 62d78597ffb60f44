"""A search through the names: how many have a piece in them, and how long they are."""

from typing import Literal, get_args

Place = Literal["anywhere", "start", "end"]


def dataset(piece: str, where: Place) -> None:
    """Refuse what is no place; the browser has the names, and searches itself."""
    if where not in get_args(Place):
        raise ValueError("the piece stands anywhere, at the start or at the end")
