"""The gradient is the program's, each break spoils it, and nudges tell."""

import json
from itertools import chain

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import ROOT, document, refusals
from tests.processes import javascript
from widgets.gradient_check.model import BREAKS, PROGRAM, Break, gradient_check

# What is right for "anna", although the line is broken.
SPARED = {
    "forget the gate of ReLU": {"fc2"},
    "in the embedding, = for +=": {"fc1", "fc2"},
    "give the embedding of the wrong token": {"fc1", "fc2"},
    "of the weights, = for +=": {"wte"},
    "of the input, = for +=": {"fc2"},
}
WEIGHTS = untrained()[2]  # what the pages begin with


def flat(gradient: step1.Weights) -> dict[str, list[float]]:
    return {name: [*chain(*matrix)] for name, matrix in gradient.items()}


def gaps(name: str, broken: str = "") -> dict[str, float]:
    """Return by how much a gradient differs from the program's."""
    right = flat(step1.analytic_gradient(document(name), WEIGHTS))
    return {
        key: max(abs(a - b) for a, b in zip(slopes, right[key], strict=True))
        for key, slopes in flat(gradient_check(name, broken)["gradient"]).items()
    }


def test_the_browser_nudges_as_the_program_does() -> None:
    given, module = gradient_check("ann"), ROOT / "web/dist/engine.mjs"
    printed = javascript(f"""
        import {{ documentOf, initialWeights, numericalGradient }} from {module.as_uri()!r};
        const weights = initialWeights({given["names"]}, 27);
        const gradient = numericalGradient(weights, documentOf("ann"));
        console.log(JSON.stringify(gradient));""")
    slopes = flat(step1.numerical_gradient(document("ann"), WEIGHTS))
    for name, found in flat(json.loads(printed)).items():
        assert found == pytest.approx(slopes[name], rel=0, abs=1e-9)


def test_without_a_break_the_gradient_is_the_program_s() -> None:
    assert max(gaps("bo").values()) < 1e-11


@pytest.mark.parametrize("way", BREAKS, ids=lambda way: way["name"])
def test_each_break_spoils_what_lies_behind_it(way: Break) -> None:
    assert PROGRAM.count(f" {way['gone']}\n") == 1
    spared = SPARED.get(way["name"], set())
    for name, gap in gaps("anna", way["name"]).items():
        assert gap < 1e-11 if name in spared else gap > 1e-3


def test_a_name_without_a_letter_twice_does_not_show_a_lost_sum() -> None:
    assert max(gaps("bo", "in the embedding, = for +=").values()) < 1e-11


test_names_that_are_none_are_refused = refusals(
    gradient_check, {}, ({"name": " "}, "one letter or more")
)
