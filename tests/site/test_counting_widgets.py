"""Names, counts and sizes: what the page computes of them is what the package and its
programs say, and each button does its part."""

import math
import re
from itertools import pairwise
from statistics import fmean

from pytest import approx

from microgpt import load_names
from snippets import step0
from tests.models import TOKENS, document, pairs_of, shuffled
from tests.site.figure import Open
from tests.thorough import thorough
from widgets.bpe.model import learnt as merges

pytestmark = thorough


def counts_after(learnt: int) -> step0.Counts:
    counts = step0.zero_counts(27)
    for name in shuffled()[:learnt]:
        step0.count_pairs(document(name), counts)
    return counts


def four(x: float) -> str:
    """Four decimals, ties up, as JavaScript writes 1/32."""
    return f"{x + 1e-12:.4f}"


def test_a_name_is_the_tokens_of_its_letters(open_figure: Open) -> None:
    figure = open_figure("tokens")
    for name, says in (
        ("Zoe", "3 letters, 5 tokens, 4 questions"),
        ("", "no letters, 2 tokens, 1 question"),
    ):
        figure.type(name, enter=False).shows(f"status: {says}")
        called = [
            f"{TOKENS[token]} is token {token}" for token in document(name.lower())
        ]
        asked = [f"{one}, then {next_}" for one, next_ in pairwise(called)]
        listed = figure.find("li").all_inner_texts()
        heard = [" ".join(each.replace("→", "").split()) for each in listed]
        assert [each.replace(" ,", ",") for each in heard] == [*called, *asked]
    figure.press("ava").shows("document(“ava”)", "3 letters")
    for typed, refused in (
        ("<b>", "“<”"),
        ("Zoë", "“ë”"),
        ("x̂", "“◌̂”"),
        ("a\u200bb", "U+200B"),
    ):
        refusal = f"status: Type letters from a to z, not {refused}."
        figure.type(typed, enter=False).shows("[invalid]", refusal)
        figure.shows("document(“ava”)")
    figure.press("emma").shows('button "emma" [pressed]', "4 letters")


def test_the_names_found_are_those_that_a_pattern_matches(open_figure: Open) -> None:
    figure, names = open_figure("dataset"), load_names()
    for piece, where, says, pattern in (
        ("Na ", "at the start", "begin with", "^na"),
        ("na", "at the end", "end with", "na$"),
        ("na", "anywhere", "contain", "na"),
        ("welethu", "anywhere", "contains", "welethu"),
    ):
        figure.type(piece, "A piece of a name", enter=False).press(where)
        found = [name for name in names if re.search(pattern, name)]
        share, mean = len(found) / len(names), fmean(map(len, found))
        figure.shows(
            f"{len(found):,} of the 5,676 names {says} “{piece.strip().lower()}”"
        )
        figure.shows(f"which is {share:.2%}", f"{mean:.2f}" if len(found) > 1 else "8 ")
        listed = figure.find("ul li").all_inner_texts()
        assert len(listed) == min(12, len(found)) and {*listed} <= {*found}
    figure.type("xq", "A piece of a name").shows("Not one of the 5,676 names contains")
    figure.type("zoë", "A piece of a name").shows("Type letters from a to z, not “ë”.")


def test_a_table_counts_the_pairs_of_its_names(open_figure: Open) -> None:
    figure, seed = open_figure("count_table"), 42
    for button, size in (
        ("1 name", 1),
        ("10", 10),
        ("100", 100),
        ("all 5,676", 5676),
        ("1,000", 1000),
        ("shuffle again", 1000),
    ):
        seed += button == "shuffle again"
        names = shuffled(seed)[:size]
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
    figure.keys("[type=radio]:checked", "q").shows("most often: q, then")
    figure.keys("[type=radio]:checked", "End").shows("most often: BOS, then a:")
    first = max(pairs["BOS", token] for token in TOKENS)
    figure.shows(f"BOS, then a: {first} times")


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
        loss, asked = step0.mean_loss(tokens, counts), len(tokens) - 1
        found = figure.numbers(f"mean of {asked}")
        assert found == [approx(loss, abs=5.1e-5), approx(math.exp(loss), abs=0.051)]
    figure.shows(f"blind guess, {math.log(27):.4f}")
    figure.press("To the start").shows("status: nothing has been asked")
    figure.press("One step on").shows('status: "BOS → m: probability 0.0370')
    figure.press("One step back").shows("status: nothing has been asked")
    figure.press("xavier").shows("mean of 7").press("emma").shows("mean of 5")


def test_a_name_is_counted_as_the_program_counts_it(open_figure: Open) -> None:
    figure = open_figure("counting")
    for learnt in (0, 10, 100, 1000):
        figure.press(f"{learnt:,}" if learnt else "none").press("To the start")
        counts, tokens = counts_after(learnt), document("emma")
        loss = step0.mean_loss(tokens, counts)
        figure.shows(f"“emma” is scored before it is counted: its loss is {loss:.4f}.")
        for token, target in pairwise(tokens):
            seen, p = counts[token][target], step0.probabilities(token, counts)[target]
            share = f"share {seen} + 1 of {sum(counts[token]) + 27} "
            step0.count_pairs([token, target], counts)
            now = step0.probabilities(token, counts)[target]
            figure.press("One step on").shows(
                share,
                f"{TOKENS[token]} → {TOKENS[target]}: the count goes from {seen} to "
                f"{seen + 1}, the probability from {four(p)} to {four(now)}. "
                f"The rest of the row shares {four(1 - now)}.",
            )
        after = step0.mean_loss(tokens, counts)
        figure.press("One step on").shows(f"would give “emma” {after:.4f}.")
    figure.press("One step back").shows("a → BOS: the count goes from")
    figure.type("anna").shows("BOS a n n a BOS").press("xavier").shows("x a v i e r")


def test_merges_make_one_piece_of_each_two_that_are_their_pair(
    open_figure: Open,
) -> None:
    figure = open_figure("bpe")
    for name in ("anandan", "christopher", "maria", "zyx"):
        figure.type(name) if name == "anandan" else figure.press(name)
        figure.press("To the start")
        pieces = " ".join(name)
        figure.shows(f"letters ({len(name)} tokens, vocabulary 27)")
        for learnt, merge in enumerate(merges(), 1):
            left, right = merge["left"], merge["right"]
            merged = re.sub(rf"\b{left} {right}\b", left + right, pieces)
            if merged != pieces:
                figure.press("One step on").shows(
                    f"merge {learnt}: {left} + {right}, {merge['times']} times in the "
                    f"names: {merged}; {len(merged.split())} tokens, "
                    f"vocabulary {27 + learnt}"
                )
            pieces = merged
        outcome = f"{len(name)} letters, {len(pieces.split())} tokens after 60 merges."
        figure.shows(outcome)
