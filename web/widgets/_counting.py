"""The model of Step 0 after some of the names."""

from functools import cache

from snippets.step0 import Counts, count_pairs, zero_counts
from widgets._names import shuffled_names, tokenizer_of_the_names

LEARNT = [0, 10, 100, 1000]  # names that a reader's model may have learnt


def counts_after(learnt: int) -> Counts:
    """Return a table of its own, in which the first names are counted."""
    return [row.copy() for row in table_after(learnt)]


@cache
def table_after(learnt: int) -> Counts:
    """Return the same table to all, who must not change it."""
    tokenizer = tokenizer_of_the_names()
    counts = zero_counts(tokenizer.vocab_size)
    for name in shuffled_names()[:learnt]:
        count_pairs(tokenizer.document(name), counts)
    return counts
