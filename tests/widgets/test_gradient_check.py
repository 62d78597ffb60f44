"""The check compares what the program's own functions give, and finds each break."""

from __future__ import annotations

import itertools
import json
import math
import random
from typing import Any

import pytest

from microgpt import Tokenizer, load_names
from snippets import step1
from widgets._network import network_weights
from widgets.gradient_check.model import (
    BREAKS,
    NUDGED,
    PROGRAM,
    TOLERANCE,
    GradientCheck,
    Place,
    compare,
    gradient_check,
)

# What is right for "anna", although the line is broken.
SPARED = {
    "forget the gate of ReLU": {"fc2"},
    "give fc2 the numbers from before ReLU": {"wte", "fc1"},
    "in the embedding, = for +=": {"fc1", "fc2"},
    "give the embedding of the wrong token": {"fc1", "fc2"},
    "of the weights, = for +=": {"wte"},
    "of the input, = for +=": {"fc2"},
}


def start() -> tuple[Tokenizer, step1.Weights]:
    """What the pages begin with."""
    tokenizer = Tokenizer(load_names())
    return tokenizer, step1.initial_weights(tokenizer.vocab_size, random.Random(42))


def check(name: str = "anna", source: str = "", passes: int = 1) -> GradientCheck:
    *_, result = gradient_check(name, source, passes)
    return result


def test_all_passes_give_both_gradients_of_the_program() -> None:
    tokenizer, weights = start()
    tokens = tokenizer.document("bo")
    numerical = step1.numerical_gradient(tokens, weights)
    analytic = step1.analytic_gradient(tokens, weights)
    results = list(gradient_check("bo", "", 7))
    assert [r["nudged"] for r in results][-1] == results[-1]["total"] == 3184
    assert all(a["nudged"] < b["nudged"] for a, b in itertools.pairwise(results))
    for matrix in results[-1]["matrices"]:
        rows = matrix["name"]
        assert matrix["places"] == list(range(matrix["rows"] * matrix["columns"]))
        flat = [slope for row in numerical[rows] for slope in row]
        assert matrix["numerical"] == pytest.approx(flat, rel=1e-3)
        derived = [slope for row in analytic[rows] for slope in row]
        assert matrix["analytic"] == pytest.approx(derived, rel=1e-3)
        gaps = [abs(n - a) for n, a in zip(flat, derived, strict=True)]
        assert matrix["gaps"] == pytest.approx(gaps, rel=0.06)
        assert matrix["largest"] == pytest.approx(max(gaps), rel=0.06)
        assert matrix["wrong"] == 0
    largest = step1.largest_gradient_error(tokens, weights)
    found = max(matrix["largest"] for matrix in results[-1]["matrices"])
    assert found == pytest.approx(largest, rel=0.06)


def test_a_pass_takes_every_seventh_parameter_of_all_matrices() -> None:
    result = check(passes=1)
    assert result["nudged"] == math.ceil(3184 / 7)
    offset = 0
    for matrix in result["matrices"]:
        assert [(place + offset) % 7 for place in matrix["places"]] == [0] * len(
            matrix["places"]
        )
        offset += matrix["rows"] * matrix["columns"]
    assert len(json.dumps(result, separators=(",", ":"))) < 20_000


@pytest.mark.parametrize("way", BREAKS, ids=lambda way: way["name"])
def test_each_break_is_found_and_spares_what_does_not_lie_behind_it(way: Any) -> None:
    assert PROGRAM.count(way["old"]) == 1
    result = check(source=PROGRAM.replace(way["old"], way["new"]))
    for matrix in result["matrices"]:
        if matrix["name"] in SPARED.get(way["name"], set()):
            assert matrix["wrong"] == 0
            assert matrix["largest"] < 1e-8
        else:
            assert matrix["wrong"] > 0
            assert matrix["largest"] > 1000 * TOLERANCE


def test_each_break_does_what_its_name_says() -> None:
    change = {way["name"]: (way["old"], way["new"]) for way in BREAKS}
    assert len(change) == len(BREAKS)
    old, new = change["forget to divide by the number of pairs"]
    assert "/ len(pairs)" in old
    assert "/" not in new
    assert change["forget the target"] == ("d_logits[target] -= 1 / len(pairs)", "pass")
    old, new = change["forget the gate of ReLU"]
    assert old.replace(" * (h > 0)", "") == new
    old, new = change["give the embedding of the wrong token"]
    assert old.replace("[token]", "[target]") == new
    for name, part in (
        ("in the embedding, = for +=", 'gradient["wte"]'),
        ("of the weights, = for +=", "d_row"),
        ("of the input, = for +=", "d_x"),
    ):
        old, new = change[name]
        assert old.startswith(part)
        assert old.replace("+=", "=") == new


def test_wrong_is_what_differs_by_more_than_the_tolerance() -> None:
    _, weights = start()
    none = step1.zeros_like(weights)
    slopes = {
        Place("fc1", 0, 1): 0.9 * TOLERANCE,
        Place("fc1", 2, 3): -1.1 * TOLERANCE,
        Place("fc2", 0, 0): 1.0,
    }
    matrix = compare("fc1", weights, slopes, none)
    assert matrix["places"] == [1, 2 * 16 + 3]
    assert matrix["gaps"] == pytest.approx([0.9e-6, 1.1e-6])
    assert matrix["wrong"] == 1


def test_names_of_the_same_letters_are_nudged_apart() -> None:
    tokenizer, weights = start()
    for name in ("no", "on"):
        slopes = step1.analytic_gradient(tokenizer.document(name), weights)
        for matrix in check(name)["matrices"]:
            flat = [slope for row in slopes[matrix["name"]] for slope in row]
            expected = [flat[place] for place in matrix["places"]]
            assert matrix["numerical"] == pytest.approx(expected, rel=1e-3, abs=1e-7)


def test_a_name_without_a_letter_twice_does_not_show_a_lost_sum() -> None:
    (way,) = (b for b in BREAKS if b["name"] == "in the embedding, = for +=")
    broken = PROGRAM.replace(way["old"], way["new"])
    assert sum(m["wrong"] for m in check("bo", broken)["matrices"]) == 0
    assert sum(m["wrong"] for m in check("anna", broken)["matrices"]) > 0


def test_the_program_s_own_functions_are_left_alone() -> None:
    tokenizer, weights = start()
    tokens = tokenizer.document("anna")
    before = step1.analytic_gradient(tokens, weights)
    source = PROGRAM.replace("d_x[j] += d * wj", "d_x[j] = d * wj")
    check(source="mean_loss = zeros_like\ndel train, sample\n" + source)
    assert step1.analytic_gradient(tokens, weights) == before


def test_nudging_puts_every_weight_back() -> None:
    NUDGED.clear()
    check("bo", passes=7)
    assert network_weights("untrained") == start()[1]


def test_code_that_changes_the_weights_does_not_spoil_the_nudges() -> None:
    source = PROGRAM.replace(
        "    return gradient\n",
        '    weights["fc1"][0][0] = 9.0\n    tokens.clear()\n    return gradient\n',
    )
    assert check("ada", source) == {**check("ada"), "source": source}


def test_what_has_been_nudged_is_not_nudged_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    NUDGED.clear()
    check("ma", passes=2)
    assert [len(kept) for kept in NUDGED.values()] == [2]
    monkeypatch.setattr(step1, "mean_loss", None)
    assert check("ma", PROGRAM, passes=2)["nudged"] == 910


@pytest.mark.parametrize(
    ("source", "reason", "line"),
    [
        ("def analytic_gradient(", r"line 1: '\(' was never closed", 1),
        ("x = 1", "defines no analytic_gradient", None),
        ("def analytic_gradient(t, w):\n    return 1 / 0", "line 2: ZeroDiv", 2),
        ("def analytic_gradient(t, w):\n    pass", "returns no gradient", None),
        ("def analytic_gradient(t, w):\n    return {}", "no matrix 'wte'", None),
        ("def analytic_gradient(t, w):\n    return {'wte': []}", "shape of wte", None),
        ("exit()", "line 1: SystemExit", 1),
        ("raise ValueError", "line 1: ValueError$", 1),
        (PROGRAM.replace("/ len(pairs) for", "* 1e999 for"), "is (nan|inf)", None),
        (
            PROGRAM.replace(
                "    return gradient",
                "    gradient['wte'][0][0] = 10**400\n    return gradient",
            ),
            r"wte\[0\]\[0\] is 1000+, not a finite number",
            None,
        ),
        (
            PROGRAM.replace(
                "    return gradient",
                "    gradient['fc1'][3][1] = 'up'\n    return gradient",
            ),
            r"fc1\[3\]\[1\] is 'up', not a finite number",
            None,
        ),
        (PROGRAM.replace("len(pairs) for", "0 for"), "line 10: ZeroDiv", 10),
    ],
)
def test_code_that_gives_no_gradient_is_refused_in_a_sentence(
    source: str, reason: str, line: int | None
) -> None:
    with pytest.raises(ValueError, match=reason) as refused:
        check(source=source)
    found = refused.value.at  # type: ignore[attr-defined]
    begun = None if found is None else source[:found].count("\n") + 1
    assert begun == line


@pytest.mark.parametrize(
    ("name", "passes", "reason"),
    [
        (" ", 1, "one letter or more"),
        ("a b", 1, "does not know the character ' '"),
        ("zoë", 1, "does not know the character 'ë'"),
        ("alexandra", 1, "more than 8 letters"),
        ("anna", 0, "choose from 1 to 7"),
        ("anna", 8, "choose from 1 to 7"),
    ],
)
def test_names_that_cannot_be_nudged_are_refused(
    name: str, passes: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        check(name, passes=passes)
