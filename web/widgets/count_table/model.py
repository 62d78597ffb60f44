"""The count table after some of the names: every cell, and names that fill it."""

import random
from itertools import pairwise
from typing import TypedDict

from microgpt import load_names
from snippets.step0 import count_pairs, zero_counts
from widgets._inputs import whole
from widgets._names import token_names, tokenizer_of_the_names

SIZES = [1, 10, 100, 1000]  # names, and all of them
EXAMPLES = 3


class CountedNames(TypedDict):
    """The table after so many names."""

    names: int
    counts: list[list[int]]
    pairs: int
    zeros: int


class CountTable(TypedDict):
    """The tables, and for each pair the first names that have it.

    `examples[token][target]` are places in `names`, and `orders` says as how many-th
    of the shuffled names each of those was counted, from 0.
    """

    tokens: list[str]
    tables: list[CountedNames]
    names: list[str]
    orders: list[int]
    examples: list[list[list[int]]]


def count_table(seed: int) -> CountTable:
    """Shuffle the names with this seed, and count their pairs, name after name."""
    rng = random.Random(whole(seed, "seed", 0, 2**31))
    names = load_names()
    rng.shuffle(names)
    tokenizer = tokenizer_of_the_names()
    size = tokenizer.vocab_size
    counts = zero_counts(size)
    tables: list[CountedNames] = []
    first: list[list[list[int]]] = [[[] for _ in range(size)] for _ in range(size)]
    for order, name in enumerate(names):
        document = tokenizer.document(name)
        count_pairs(document, counts)
        for token, target in set(pairwise(document)):
            if len(first[token][target]) < EXAMPLES:
                first[token][target].append(order)
        if order + 1 in {*SIZES, len(names)}:
            tables.append(counted(order + 1, counts))
    orders = sorted({order for row in first for cell in row for order in cell})
    places = {order: place for place, order in enumerate(orders)}
    return CountTable(
        tokens=token_names(),
        tables=tables,
        names=[names[order] for order in orders],
        orders=orders,
        examples=[[[places[order] for order in cell] for cell in row] for row in first],
    )


def counted(names: int, counts: list[list[int]]) -> CountedNames:
    """Return the table as it stands."""
    return CountedNames(
        names=names,
        counts=[row.copy() for row in counts],
        pairs=sum(map(sum, counts)),
        zeros=sum(row.count(0) for row in counts),
    )
