"""What `train_step` does to the count table with a name, line by line."""

from snippets.step0 import count_pairs, train_step
from widgets._listing import LitListing, lit_listing
from widgets._names import document


def counting(name: str) -> LitListing:
    """Return the lines that score a name, count a pair, and return; the browser counts."""
    document(name)  # refuses what is no name
    return lit_listing(
        (train_step, count_pairs),
        [
            ("train_step", "loss = "),
            ("count_pairs", "counts["),
            ("train_step", "return "),
        ],
        {"count_pairs": ("train_step", "count_pairs(")},
    )
