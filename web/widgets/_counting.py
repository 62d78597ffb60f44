"""The model of Step 0 after some of the names."""

from functools import cache
from typing import TypedDict

from snippets.step0 import Counts, count_pairs, zero_counts
from widgets._names import shuffled_names, tokenizer_of_the_names

LEARNT = [0, 10, 100, 1000]  # names that a reader's model may have learnt


class CountModel(TypedDict):
    """A table of counts, and how many names are counted in it."""

    learnt: int
    counts: list[list[int]]


def count_models() -> list[CountModel]:
    """Return models that have learnt more and more names."""
    return [CountModel(learnt=names, counts=counts_after(names)) for names in LEARNT]


@cache
def counts_after(learnt: int) -> Counts:
    """Return the same table to all, who must not change it."""
    tokenizer = tokenizer_of_the_names()
    counts = zero_counts(tokenizer.vocab_size)
    for name in shuffled_names()[:learnt]:
        count_pairs(tokenizer.document(name), counts)
    return counts
