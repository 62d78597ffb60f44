"""The code's gradient is the program's, each break spoils it, and nudges tell."""

import json
from itertools import chain
from typing import Any

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import ROOT, document, refusals
from tests.processes import javascript
from widgets._network import network_weights
from widgets.gradient_check.model import BREAKS, PROGRAM, gradient_check

# What is right for "anna", although the line is broken.
SPARED = {
    "forget the gate of ReLU": {"fc2"},
    "in the embedding, = for +=": {"fc1", "fc2"},
    "give the embedding of the wrong token": {"fc1", "fc2"},
    "of the weights, = for +=": {"wte"},
    "of the input, = for +=": {"fc2"},
}
WEIGHTS = untrained()[2]  # what the pages begin with
RETURNING = """def analytic_gradient(tokens, weights):
    gradient = zeros_like(weights)
    gradient["fc1"][3][1] = {}
    return gradient"""


def flat(gradient: step1.Weights) -> dict[str, list[float]]:
    return {name: [*chain(*matrix)] for name, matrix in gradient.items()}


def check(name: str = "anna", source: str = "") -> dict[str, list[float]]:
    """Return the gradient that a code gives."""
    return flat(gradient_check(name, source)["gradient"])


def gaps(name: str, source: str) -> dict[str, float]:
    """Return by how much a code's gradient differs from the program's."""
    right = flat(step1.analytic_gradient(document(name), WEIGHTS))
    return {
        key: max(abs(a - b) for a, b in zip(slopes, right[key], strict=True))
        for key, slopes in check(name, source).items()
    }


def test_the_browser_nudges_as_the_program_does() -> None:
    given, module = gradient_check("ann", ""), ROOT / "web/dist/network.mjs"
    printed = javascript(f"""
        import {{ documentOf, initialWeights, numericalGradient }} from {module.as_uri()!r};
        const tokens = {json.dumps(given["tokens"])};
        const weights = initialWeights({given["names"]}, tokens.length);
        const gradient = numericalGradient(weights, documentOf("ann", tokens));
        console.log(JSON.stringify(gradient));""")
    slopes = flat(step1.numerical_gradient(document("ann"), WEIGHTS))
    for name, found in flat(json.loads(printed)).items():
        assert found == pytest.approx(slopes[name], rel=0, abs=1e-9)


def test_without_a_code_the_gradient_is_the_program_s() -> None:
    assert max(gaps("bo", "").values()) < 1e-11


@pytest.mark.parametrize("way", BREAKS, ids=lambda way: way["name"])
def test_each_break_spoils_what_lies_behind_it(way: Any) -> None:
    assert PROGRAM.count(way["old"]) == 1
    spared = SPARED.get(way["name"], set())
    for name, gap in gaps("anna", PROGRAM.replace(way["old"], way["new"])).items():
        assert gap < 1e-11 if name in spared else gap > 1e-3


def test_a_name_without_a_letter_twice_does_not_show_a_lost_sum() -> None:
    (way,) = (b for b in BREAKS if b["name"] == "in the embedding, = for +=")
    broken = PROGRAM.replace(way["old"], way["new"])
    assert max(gaps("bo", broken).values()) < 1e-11
    assert max(gaps("anna", broken).values()) > 1e-3


def test_a_reader_s_code_changes_neither_the_program_nor_its_weights() -> None:
    before = step1.analytic_gradient(document("anna"), WEIGHTS)
    source = PROGRAM.replace("d_x[j] += d * wj", "d_x[j] = d * wj")
    check(source="mean_loss = zeros_like\ndel train, sample\n" + source)
    assert step1.analytic_gradient(document("anna"), WEIGHTS) == before
    spoils = 'weights["fc1"][0][0] = 9.0\n    tokens.clear()\n    return gradient\n'
    source = PROGRAM.replace("return gradient\n", spoils)
    assert check("ada", source) == check("ada")
    assert network_weights("untrained") == WEIGHTS


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
        (RETURNING.format("10**400"), r"fc1\[3\]\[1\] is 1000+, not a finite", None),
        (RETURNING.format("'up'"), r"fc1\[3\]\[1\] is 'up', not a finite number", None),
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


test_names_that_are_none_are_refused = refusals(
    check, {}, ({"name": " "}, "one letter or more")
)
