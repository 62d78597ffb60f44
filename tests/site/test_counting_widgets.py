"""Names, counts and sizes: what the page computes of them is what the package and its
programs say, and each button does its part."""

import math
from itertools import pairwise

from pytest import approx

from snippets import step0
from tests.models import TOKENS, document, pairs_of, shuffled
from tests.site.figure import Open
from tests.thorough import thorough

pytestmark = thorough


def counts_after(learnt: int) -> step0.Counts:
    counts = step0.zero_counts(27)
    for name in shuffled()[:learnt]:
        step0.count_pairs(document(name), counts)
    return counts


def test_a_table_counts_the_pairs_of_its_names(open_figure: Open) -> None:
    figure = open_figure("count_table")
    for button, size in (
        ("1 name", 1),
        ("10 names", 10),
        ("all 5,676", 5676),
        ("1,000 names", 1000),
    ):
        names = shuffled()[:size]
        pairs = pairs_of(names)
        figure.press(button).shows(
            f"{pairs.total():,} pairs; {27 * 27 - len(pairs)} of the 729 cells are 0."
        )
    for keys, pair in (
        (["ArrowRight", "ArrowLeft"], ("m", "a")),
        (["ArrowDown"], ("n", "a")),
        (["End", "ArrowUp"], ("m", "BOS")),
        (["Home", "ArrowUp"], ("l", "a")),
    ):
        token, target = pair
        figure.keys(".cells", *keys)
        times = pairs[token, target]
        figure.shows(f'status: "{token}, then {target}: {times:,} times"')
        having = [name for name in names if (token, target) in pairs_of([name])]
        figure.shows(f"paragraph: {', '.join(having[:3])}")


def test_a_name_costs_what_the_program_says(open_figure: Open) -> None:
    figure = open_figure("name_loss")
    for name, learnt in (("xavier", 1000), ("emma", 100), ("emma", 10), ("marina", 0)):
        figure.type(name).press(f"{learnt:,}")
        figure.shows(f"“{name}” scored by a model that has learnt {learnt:,} names")
        counts, tokens = counts_after(learnt), document(name)
        for token, target in pairwise(tokens):
            p = step0.probabilities(token, counts)[target]
            # JavaScript rounds a tie up, as that of 1/32.
            assert figure.numbers(f"{TOKENS[token]} → {TOKENS[target]}") == [
                approx(p, abs=5.1e-5),
                approx(-math.log(p), abs=5.1e-5),
                approx(1 / p, abs=0.051),
            ]
        loss = step0.mean_loss(tokens, counts)
        found = figure.numbers("mean")
        assert found == [approx(loss, abs=5.1e-5), approx(math.exp(loss), abs=0.051)]
    figure.shows(f"blind guess, {math.log(27):.4f}")
    figure.press("xavier").shows("“xavier” scored by")
