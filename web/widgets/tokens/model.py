"""A name as tokens, and the questions that it asks of a model."""

from itertools import pairwise
from typing import TypedDict

from widgets._names import document, token_names, tokenizer_of_the_names
from widgets._numbers import counted


class NamedToken(TypedDict):
    """A token, and what readers call it: a letter or BOS."""

    name: str
    token: int


class TokenPair(TypedDict):
    """A token, and the one that comes next."""

    question: NamedToken
    answer: NamedToken


class Tokens(TypedDict):
    """A name between two BOS, its pairs, and how many there are of all that.

    `decoded` is what `decode` makes of the letters' tokens.
    """

    document: list[NamedToken]
    pairs: list[TokenPair]
    decoded: str
    says: str


def tokens(name: str) -> Tokens:
    """Return the tokens of a name, as the tokenizer of the names gives them."""
    typed = document(name, shortest=0)
    names = token_names()
    named = [NamedToken(name=names[token], token=token) for token in typed]
    return Tokens(
        document=named,
        pairs=[TokenPair(question=q, answer=a) for q, a in pairwise(named)],
        decoded=tokenizer_of_the_names().decode(typed[1:-1]),
        says=", ".join(
            [
                counted(len(typed) - 2, "letter"),
                counted(len(typed), "token"),
                counted(len(typed) - 1, "question"),
            ]
        ),
    )
