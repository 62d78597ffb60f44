"""A name as tokens, and the questions that it asks of a model."""

from __future__ import annotations

from itertools import pairwise
from typing import TypedDict

from microgpt import Tokenizer, load_names

LONGEST = 24


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
    tokenizer = Tokenizer(load_names())
    name = name.strip()
    if len(name) > LONGEST:
        raise ValueError(f"type at most {LONGEST} letters: this has {len(name)}")
    try:
        document = tokenizer.document(name)
    except ValueError as error:
        small = name.lower()
        known = small != name and set(small) <= set(tokenizer.characters)
        hint = f"; type {small!r}, in small letters" if known else ""
        raise ValueError(f"{error}{hint}") from None
    named = [
        NamedToken(
            name="BOS" if token == tokenizer.bos else tokenizer.decode([token]),
            token=token,
        )
        for token in document
    ]
    return Tokens(
        document=named,
        pairs=[TokenPair(question=q, answer=a) for q, a in pairwise(named)],
        decoded=tokenizer.decode(document[1:-1]),
        says=", ".join(
            [
                counted(len(name), "letter"),
                counted(len(document), "token"),
                counted(len(document) - 1, "question"),
            ]
        ),
    )


def counted(count: int, noun: str) -> str:
    """Return how many there are of something, in words."""
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
