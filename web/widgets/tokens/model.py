"""A name as tokens, and the questions that it asks of a model."""

from typing import TypedDict

from widgets._names import document, token_names


class Tokens(TypedDict):
    """What readers call each token: a letter or BOS."""

    tokens: list[str]


def tokens(name: str) -> Tokens:
    """Return the tokens, of which the browser makes those of a name."""
    document(name, shortest=0)  # refuses what is no name
    return Tokens(tokens=token_names())
