"""The check compares what the program's own functions give, and finds each break."""

from typing import Any

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import document, refusals
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
    "in the embedding, = for +=": {"fc1", "fc2"},
    "give the embedding of the wrong token": {"fc1", "fc2"},
    "of the weights, = for +=": {"wte"},
    "of the input, = for +=": {"fc2"},
}


WEIGHTS = untrained()[2]  # what the pages begin with


def flat(matrix: step1.Matrix) -> list[float]:
    return [number for row in matrix for number in row]


def check(name: str = "anna", source: str = "", passes: int = 1) -> GradientCheck:
    *_, result = gradient_check(name, source, passes)
    return result


def test_all_passes_give_both_gradients_of_the_program() -> None:
    tokens = document("bo")
    numerical = step1.numerical_gradient(tokens, WEIGHTS)
    analytic = step1.analytic_gradient(tokens, WEIGHTS)
    results = list(gradient_check("bo", "", 7))
    assert [r["nudged"] for r in results] == [455 * i for i in range(1, 7)] + [3184]
    assert results[-1]["total"] == 3184
    for matrix in results[-1]["matrices"]:
        nudged, derived = (
            flat(numerical[matrix["name"]]),
            flat(analytic[matrix["name"]]),
        )
        gaps = [abs(n - a) for n, a in zip(nudged, derived, strict=True)]
        assert matrix["places"] == list(range(matrix["rows"] * matrix["columns"]))
        assert matrix["numerical"] == pytest.approx(nudged, rel=1e-3)
        assert matrix["analytic"] == pytest.approx(derived, rel=1e-3)
        assert matrix["gaps"] == pytest.approx(gaps, rel=0.06)
        assert matrix["largest"] == pytest.approx(max(gaps), rel=0.06)
        assert matrix["wrong"] == 0


def test_a_pass_takes_every_seventh_parameter_of_all_matrices() -> None:
    offset = 0
    for matrix in check(passes=1)["matrices"]:
        size = matrix["rows"] * matrix["columns"]
        every = [place for place in range(size) if (place + offset) % 7 == 0]
        assert matrix["places"] == every
        offset += size


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


@pytest.mark.parametrize(
    ("name", "line", "gone", "instead"),
    [
        ("forget to divide by the number of pairs", "", " / len(pairs)", ""),
        ("forget the target", "d_logits[target] -= 1 / len(pairs)", "", "pass"),
        ("forget the gate of ReLU", "", " * (h > 0)", ""),
        ("in the embedding, = for +=", 'gradient["wte"]', "+=", "="),
        ("give the embedding of the wrong token", "", "[token]", "[target]"),
        ("of the weights, = for +=", "d_row", "+=", "="),
        ("of the input, = for +=", "d_x", "+=", "="),
    ],
)
def test_each_break_does_what_its_name_says(
    name: str, line: str, gone: str, instead: str
) -> None:
    (way,) = (way for way in BREAKS if way["name"] == name)
    assert way["old"].startswith(line)
    assert way["new"] == way["old"].replace(gone or line, instead)


def test_wrong_is_what_differs_by_more_than_the_tolerance() -> None:
    none = step1.zeros_like(WEIGHTS)
    slopes = {
        Place("fc1", 0, 1): 0.9 * TOLERANCE,
        Place("fc1", 2, 3): -1.1 * TOLERANCE,
        Place("fc2", 0, 0): 1.0,
    }
    matrix = compare("fc1", WEIGHTS, slopes, none)
    assert matrix["places"] == [1, 2 * 16 + 3]
    assert matrix["gaps"] == pytest.approx([0.9e-6, 1.1e-6])
    assert matrix["wrong"] == 1


@pytest.mark.parametrize("name", ["no", "on"])
def test_names_of_the_same_letters_are_nudged_apart(name: str) -> None:
    slopes = step1.analytic_gradient(document(name), WEIGHTS)
    for matrix in check(name)["matrices"]:
        expected = [flat(slopes[matrix["name"]])[place] for place in matrix["places"]]
        assert matrix["numerical"] == pytest.approx(expected, rel=1e-3, abs=1e-7)


def test_a_name_without_a_letter_twice_does_not_show_a_lost_sum() -> None:
    (way,) = (b for b in BREAKS if b["name"] == "in the embedding, = for +=")
    broken = PROGRAM.replace(way["old"], way["new"])
    assert sum(m["wrong"] for m in check("bo", broken)["matrices"]) == 0
    assert sum(m["wrong"] for m in check("anna", broken)["matrices"]) > 0


def test_a_reader_s_code_changes_neither_the_program_nor_its_weights() -> None:
    before = step1.analytic_gradient(document("anna"), WEIGHTS)
    source = PROGRAM.replace("d_x[j] += d * wj", "d_x[j] = d * wj")
    check(source="mean_loss = zeros_like\ndel train, sample\n" + source)
    assert step1.analytic_gradient(document("anna"), WEIGHTS) == before
    spoils = 'weights["fc1"][0][0] = 9.0\n    tokens.clear()\n    return gradient\n'
    source = PROGRAM.replace("return gradient\n", spoils)
    assert check("ada", source) == {**check("ada"), "source": source}
    NUDGED.clear()
    check("bo", passes=7)
    assert network_weights("untrained") == WEIGHTS


def test_what_has_been_nudged_is_not_nudged_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    NUDGED.clear()
    check("ma", passes=2)
    assert [len(kept) for kept in NUDGED.values()] == [2]
    monkeypatch.setattr(step1, "mean_loss", None)
    assert check("ma", PROGRAM, passes=2)["nudged"] == 910


def returning(change: str) -> str:
    """Return the program with another line before it returns."""
    return PROGRAM.replace("    return gradient", f"    {change}\n    return gradient")


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
            returning("gradient['wte'][0][0] = 10**400"),
            r"wte\[0\]\[0\] is 1000+, not a finite number",
            None,
        ),
        (
            returning("gradient['fc1'][3][1] = 'up'"),
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


test_names_that_cannot_be_nudged_are_refused = refusals(
    check,
    {"name": "anna"},
    ({"name": " "}, "one letter or more"),
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "alexandra"}, "more than 8 letters"),
    ({"passes": 0}, "choose from 1 to 7"),
    ({"passes": 8}, "choose from 1 to 7"),
)
