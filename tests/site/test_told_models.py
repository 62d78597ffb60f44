"""What stories of `views/` tell of models is what the package and its programs compute."""

import math
import re
from collections.abc import Iterator
from itertools import chain, pairwise
from statistics import fmean

import pytest
from pytest import approx

from microgpt import load_names
from snippets import step0, step1
from tests import models
from tests.models import TOKENS, document, shuffled
from tests.site.stories import find, latest, number, told
from widgets._network import network_weights
from widgets.bpe.model import learnt as merges
from widgets.gradient_check.model import gradient_check
from widgets.machines.model import MODELS, operations
from widgets.what_if.model import recorded as what_if_record
from widgets.what_if.model import what_if

pytestmark = pytest.mark.usefixtures("all_is_found")


# The tokens and the counts of Step 0


def named(story: str) -> Iterator[tuple[str, str, str]]:
    """Each line of a story, what it tells, and the name that then stands in the field."""
    name = ""
    for act, text in told(story):
        name = latest(r'textbox "A name"(?:: (\w+))?$', text, name).lower()
        yield name, act, text


def taught(story: str, learnt: int) -> Iterator[tuple[str, str, step0.Counts]]:
    """The name of each line, what is told, and a table after as many names as were chosen."""
    for name, act, text in named(story):
        chosen = re.match(r"press (none|[\d,]+)$", act)
        if chosen:
            learnt = 0 if chosen[1] == "none" else int(number(chosen[1]))
        counts = step0.zero_counts(27)
        for each in shuffled()[:learnt]:
            step0.count_pairs(document(each), counts)
        yield name, text, counts


def test_a_name_is_the_tokens_of_its_letters() -> None:
    for name, _, text in named("tokens"):
        called = [f"{TOKENS[token]} is token {token}" for token in document(name)]
        questions = [f"{one} , then {next_}" for one, next_ in pairwise(called)]
        listed = find(r"^[+ ] *- listitem: (.*)$", text)
        assert {*listed} <= {*called, *questions}
        for letters, *counts in find(
            r"status: (\w+) letters?, (\d+) tokens?, (\d+) questions?", text
        ):
            assert letters == (str(len(name)) if name else "no")
            assert [*map(int, counts)] == [len(called), len(questions)]


def test_a_name_costs_what_the_program_says() -> None:
    for name, text, counts in taught("name_loss", 1000):
        tokens, costs = document(name), dict[str, list[object]]()
        for token, target in pairwise(tokens):
            p = step0.probabilities(token, counts)[target]
            # JavaScript rounds a tie up, as that of 1/32.
            costs[f"{TOKENS[token]} → {TOKENS[target]}"] = [
                approx(p, abs=5.1e-5),
                approx(-math.log(p), abs=5.1e-5),
                approx(1 / p, abs=0.051),
            ]
        for pair, *cost in find(r'row "(\w+ → \w+) (\S+) (\S+) (\S+)"', text):
            assert [*map(float, cost)] == costs[pair]
        for asked, mean, choice in find(r'row "mean of (\d+) (\S+) (\S+)"', text):
            loss = step0.mean_loss(tokens[: int(asked) + 1], counts)
            assert [mean, choice] == [f"{loss:.4f}", f"{math.exp(loss):.1f}"]
        assert {*find(r"blind guess, (\S+)", text)} <= {f"{math.log(27):.4f}"}


def test_a_name_is_counted_as_the_program_counts_it() -> None:
    at = "0"
    for name, text, counts in taught("counting", 0):
        tokens, shares = document(name), list[tuple[str, str]]()
        loss = step0.mean_loss(tokens, counts)
        says = [f"“{name}” is scored before it is counted: its loss is {loss:.4f}."]
        for token, target in pairwise(tokens):
            seen, p = counts[token][target], step0.probabilities(token, counts)[target]
            shares.append((str(seen), str(sum(counts[token]) + 27)))
            step0.count_pairs([token, target], counts)
            now = step0.probabilities(token, counts)[target]
            says.append(
                f"{TOKENS[token]} → {TOKENS[target]}: the count goes from {seen} to "
                f"{counts[token][target]}, the probability from {p:.4f} to {now:.4f}. "
                f"The rest of the row shares {1 - now:.4f}."
            )
        says.append(
            f"Every pair is counted. The step returns the loss from before, {loss:.4f}. "
            f"Asked again, the model would give “{name}” "
            f"{step0.mean_loss(tokens, counts):.4f}."
        )
        for at, said in find(r"step\"': (\d+) of \d+: (.*)$", text):
            assert said == says[int(at)]
        place = max(0, min(int(at), len(shares)) - 1)
        assert {*find(r'row "share (\d+) \+ 1 of (\d+) ', text)} <= {shares[place]}


def test_merges_make_one_piece_of_each_two_that_are_their_pair() -> None:
    for name, _, text in named("bpe"):
        pieces = " ".join(name)
        says = [f"letters: {pieces}; {len(name)} tokens, vocabulary 27"]
        for learnt, merge in enumerate(merges(), 1):
            left, right = merge["left"], merge["right"]
            merged = re.sub(rf"\b{left} {right}\b", left + right, pieces)
            if merged != pieces:
                says.append(
                    f"merge {learnt}: {left} + {right}, {merge['times']} times in the "
                    f"names: {merged}; {len(merged.split())} tokens, "
                    f"vocabulary {27 + learnt}"
                )
            pieces = merged
        for at, said in find(r"step\"': (\d+) of \d+: (.*)$", text):
            assert said == says[int(at)]
        outcome = f"{len(name)} letters, {len(pieces.split())} tokens"
        assert {*find(r"paragraph: (.*) after 60 merges", text)} <= {outcome}


def test_the_names_found_are_those_that_a_pattern_matches() -> None:
    piece, pattern, names = "", "{}", load_names()
    patterns = {"anywhere": "{}", "at the start": "^{}", "at the end": "{}$"}
    for act, text in told("dataset"):
        pattern = patterns.get(act.removeprefix("press "), pattern)
        piece = latest(r'textbox "A piece of a name": (\w+)$', text, piece).lower()
        found = [name for name in names if re.search(pattern.format(piece), name)]
        for count, share, mean in find(
            r"status: (\S+) of the 5,676 names .*which is (\S+)%\. They have (\S+) ",
            text,
        ):
            assert number(count) == len(found)
            assert share == f"{100 * len(found) / len(names):.2f}"
            assert mean == f"{fmean(map(len, found)):.2f}"
        listed = [
            re.sub(r'[" ]', "", each)
            for each in find(r"^[+ ] *- listitem: (.*)$", text)
        ]
        assert listed == sorted({*listed} & {*found})
        assert not (find(r"status: (Not one of)", text) and found)


def test_a_table_counts_the_pairs_of_its_names() -> None:
    size, seed, cell = 1000, 42, ("", "")
    for act, text in told("count_table"):
        pressed = re.match(r"press (?:all )?([\d,]+)", act)
        size = int(number(pressed[1])) if pressed else size
        seed += act == "press shuffle again"
        names = shuffled(seed)[:size]
        pairs = models.pairs_of(names)
        for told_of in find(
            r"status: (\S+) names?, (\S+) pairs; (\S+) of the 729 cells", text
        ):
            zeros = 27 * 27 - len(pairs)
            assert [*map(number, told_of)] == [size, pairs.total(), zeros]
        [*_, cell] = cell, *find(r'paragraph: "?(\w+)"? ", then" "?(\w+)"? ":', text)
        for some in find(r"paragraph: ([a-z]{2,}(?:, [a-z]+)*)(?:, …)?$", text):
            having = [name for name in names if cell in models.pairs_of([name])]
            assert some.split(", ") == having[:3]
        for token, after in find(
            r"paragraph: After (\w+) came (.*?)(?:, and|\.)", text
        ):
            for target, times in re.findall(r'(\w+)"? "?([\d,]+)', after):
                assert pairs[token, target] == number(times)
        for token, target, times in find(
            r'status: "most often: (\w+), then (\w+): (\S+) times"', text
        ):
            assert pairs[token, target] == number(times)
            assert number(times) == max(pairs[token, each] for each in TOKENS)


def test_machines_share_the_work_and_send_never_more_than_three_copies() -> None:
    chosen, cut = {"model": "GPT-2"}, False
    for act, text in told("machines"):
        chosen |= dict(find(r'slider "(\w+)[^"]*": (\S+)$', text))
        chosen["model"] = latest(r"paragraph: (GPT.*?), ", text, chosen["model"])
        cut |= act.startswith("check")
        config = MODELS[chosen["model"]]
        count, tokens = number(chosen["machines"]), number(chosen["tokens"])
        bits = (2 + cut) * 32 * config.num_parameters * (1 - 1 / count)
        expected = {
            "compute": tokens * operations(config) / (0.4 * 989e12) / count,
            "send": bits / (number(chosen["network"]) * 1e9),
            "needs": 16 * config.num_parameters / 1e9 / (count if cut else 1),
        }
        for what, value in find(r"listitem: (compute|send|needs) (\S+) G?[sB]", text):
            assert number(value) == approx(expected[what], rel=6e-3)
        for verdict in find(r"status: (Send|Comput)ing takes longer", text):
            assert (verdict == "Send") == (expected["send"] > expected["compute"])
        for room in find(r"status: .*The card (has room|is too small)", text):
            assert (room == "has room") == (expected["needs"] <= 80)


# The gradient check


def test_the_gradient_check_finds_what_a_break_spoils() -> None:
    """What the browser nudges is compared with the program by a test of the model."""
    name = "anna"
    broken = shown = ""
    for act, text in told("gradient_check"):
        if act.startswith("choose"):
            broken = act.removeprefix("choose Break a line: ")
        name = act.removeprefix("type A name: ") if act.startswith("type") else name
        right = step1.analytic_gradient(document(name), network_weights("untrained"))
        derived = gradient_check(name, broken)["gradient"]
        gaps = {
            of: [
                abs(a - b)
                for a, b in zip(chain(*rows), chain(*derived[of]), strict=True)
            ]
            for of, rows in right.items()
        }
        wrong = {of: sum(gap > 1e-6 for gap in each) for of, each in gaps.items()}
        for count, most in find(
            r"status: ([\d,]+) of 3,184 slopes are wrong, by up to (\S+)\.$",
            text,
        ):
            assert number(count) == sum(wrong.values()) > 0
            assert max(map(max, gaps.values())) == approx(number(most), rel=0.06)
        for of, spoilt in find(r'application "(\w+): (\d+|no) ', text):
            assert wrong[of] == (0 if spoilt == "no" else int(spoilt))
        shown = latest(r"caption: (\S+),", text, shown)
        told_of = r"(\w+\[\d+\]\[\d+\]), [^:]*: numerical (\S+), analytic (\S+)\""
        readout = find(r'row "(?:numerical|analytic) (\S+)"', text)
        for parameter, *slopes in [*find(told_of, text), (shown, *readout)]:
            of, row, column = re.split(r"[][]+", parameter.rstrip("]"))
            true = [each[of][int(row)][int(column)] for each in (right, derived)]
            assert not slopes or [*map(number, slopes)] == approx(true, rel=2e-3)


# What if?


def test_both_models_of_a_switch_end_as_recorded() -> None:
    switches = {switch["question"]: switch for switch in what_if()["switches"]}
    question, seed = "", ""
    for _, text in told("what_if"):
        question = latest(r"paragraph: (What if .*)$", text, question)
        seed = latest(r"your run \(ring, seed (\d+)\)", text, seed)
        switch = switches[question]
        for kind, loss in find(r'row "(usual|changed)\b.* (\d\.\d{3}) ', text):
            ends = what_if_record()["plain"] if kind == "usual" else switch["losses"]
            assert f"{ends[int(seed) - 1]:.3f}" == loss
        for more in find(r"(?:higher, by|Can’t tell them apart:) (\S+) ±", text):
            assert f"{switch['more']:.4f}".lstrip("-") == more
