"""The walk from a name to its loss is the run of `mean_loss`, line by line."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import (
    TOKENS,
    assert_listed,
    document,
    line_of,
    recorded,
    refusals,
)
from widgets.forward_pass.model import ForwardPass, forward_pass

WEIGHTS = untrained()[2]
EMMA = document("emma")


@pytest.fixture(scope="module")
def walk() -> ForwardPass:
    return forward_pass("emma", "untrained")


def vectors(token: int) -> dict[str, list[float]]:
    """Compute what a token becomes, by the functions of the program."""
    x = WEIGHTS["wte"][token]
    hidden = step1.linear(x, WEIGHTS["fc1"])
    logits = step1.forward(token, WEIGHTS)
    return {
        "x": x,
        "hidden": hidden,
        "activated": [h if h > 0 else 0.0 for h in hidden],
        "logits": logits,
        "exps": [math.exp(logit - max(logits)) for logit in logits],
        "probabilities": step1.softmax(logits),
    }


def test_each_pair_has_the_program_s_vectors_and_loss(walk: ForwardPass) -> None:
    assert [(p["token"], p["target"]) for p in walk["pairs"]] == [*pairwise(EMMA)]
    for pair in walk["pairs"]:
        expected = vectors(pair["token"])
        assert pair["vectors"].keys() == expected.keys()
        for name, vector in expected.items():
            assert pair["vectors"][name] == pytest.approx(vector, rel=0.006), name
        p = expected["probabilities"][pair["target"]]
        assert pair["p"] == pytest.approx(p, rel=1e-3)
        assert pair["loss"] == pytest.approx(-math.log(p), rel=1e-4)
        assert pair["largest"] == pytest.approx(max(expected["logits"]), rel=0.006)
        assert pair["total"] == pytest.approx(sum(expected["exps"]), rel=0.006)
    mean = step1.mean_loss(EMMA, WEIGHTS)
    assert walk["mean"] == pytest.approx(mean, rel=1e-4)
    assert walk["blind"] == pytest.approx(math.log(27), rel=1e-4)


def test_trained_weights_give_their_own_loss() -> None:
    mean = step1.mean_loss(document("anna"), recorded("step1-weights"))
    assert forward_pass("anna", "trained")["mean"] == pytest.approx(mean, rel=1e-4)


LOSS, NETWORK, CHANCES = step1.mean_loss, step1.forward, step1.softmax
LINES = {
    "x": line_of(NETWORK, "x ="),
    "hidden": line_of(NETWORK, "hidden ="),
    "activated": line_of(NETWORK, "activated ="),
    "largest": line_of(CHANCES, "largest ="),
    "exps": line_of(CHANCES, "exps ="),
    "total": line_of(CHANCES, "total ="),
    "probabilities": line_of(LOSS, "probabilities ="),
}
CALL = LINES["probabilities"]


def test_the_lines_run_in_the_order_of_the_program(walk: ForwardPass) -> None:
    append = line_of(LOSS, "losses.append")
    of_a_pair = [
        *(line_of(LOSS, "for token"), CALL),
        *(LINES["x"], LINES["hidden"], LINES["activated"]),
        *(line_of(NETWORK, "return linear"), CALL),
        *(LINES["largest"], LINES["exps"], LINES["total"]),
        *(line_of(CHANCES, "return"), CALL, append),
    ]
    ends = [line_of(LOSS, "for token"), line_of(LOSS, "return sum"), 0]
    lit = [step["line"] for step in walk["steps"]]
    assert lit == [line_of(LOSS, "losses = "), *(of_a_pair * 5), *ends]
    assert_listed(walk["file"], walk["functions"], lit)
    counted = 0
    inside = range(line_of(LOSS, "def mean_loss"), line_of(LOSS, "return sum") + 1)
    for step in walk["steps"]:
        assert step["losses"] == counted
        counted += step["line"] == append
        called = step["line"] and step["line"] not in inside
        assert step["waiting"] == ([CALL] if called else [])


def test_a_variable_is_shown_only_once_its_line_has_run(walk: ForwardPass) -> None:
    done: set[int] = set()
    pair = 0
    for step, then in pairwise(walk["steps"]):
        if step["pair"] != pair:
            pair, done = step["pair"], set()
        held = {name for names in step["holds"].values() for name in names}
        for name, at in LINES.items():
            assert name not in held or at in done, (name, step["line"])
        if then["line"] != step["line"] or step["line"] != CALL:
            done.add(step["line"])


def written(x: float) -> str:
    return f"{x:.4f}".replace("-", "−")


def test_each_sentence_has_the_numbers_of_its_pair(walk: ForwardPass) -> None:
    """The second pair, from "e" to "m"."""
    e, m = 4, 12
    v = vectors(e)
    p, exps, largest = v["probabilities"], v["exps"], max(v["logits"])
    says = [step["says"] for step in walk["steps"]]
    assert "The first pair: after BOS comes e. What did the network expect?" in says
    assert says[-1].startswith(f"mean_loss has returned {walk['mean']:.4f}")
    pair = [step["says"] for step in walk["steps"] if step["pair"] == 1]
    for at, words in enumerate(
        (
            "The next pair: after e comes m.",
            "forward is called with 4, the token e.",
            "Row 4 of wte is looked up: the embedding of e, 16 numbers.",
            "A dot product of x with each of the 64 rows of fc1.",
            f"{sum(h < 0 for h in v['hidden'])} of the 64 are below 0, and become 0.",
            "A dot product of activated with each row of fc2: 27 logits.",
            "forward has returned 27 logits",
            f"logit is {written(largest)}, that of {TOKENS[v['logits'].index(largest)]}.",
            f"goes from {written(min(exps))} to {written(max(exps))}.",
            f"They add up to {written(sum(exps))}.",
            f"Each is divided by {written(sum(exps))}, so that all add up to 1.",
            f"softmax has returned 27 probabilities. m has {written(p[m])}.",
            f" −ln {written(p[m])} = {written(-math.log(p[m]))}, joins the others.",
        )
    ):
        assert words in pair[at]


def test_the_longest_name_is_walked_to_its_end() -> None:
    walk = forward_pass("a" * 16, "untrained")
    assert len(walk["pairs"]) == 17
    assert walk["steps"][-1]["line"] == 0


test_what_is_no_name_is_refused = refusals(
    forward_pass,
    {"weights": "untrained"},
    ({"name": ""}, "type a name"),
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "a" * 17}, "at most 16 letters"),
)
