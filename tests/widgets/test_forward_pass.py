"""The walk from a name to its loss is the run of `mean_loss`, line by line."""

from __future__ import annotations

import inspect
import json
import math
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from microgpt import Tokenizer, load_names
from snippets import step1
from widgets.forward_pass.model import ForwardPass, forward_pass

ROOT = Path(__file__).parents[2]
TOKENIZER = Tokenizer(load_names())
WEIGHTS = step1.initial_weights(TOKENIZER.vocab_size, random.Random(42))


@pytest.fixture(scope="module")
def walk() -> ForwardPass:
    return forward_pass("emma", "untrained")


def line(function: Callable[..., object], text: str) -> int:
    """Return the number of the line of a function that holds a text."""
    lines, first = inspect.getsourcelines(function)
    (found,) = (first + i for i, each in enumerate(lines) if text in each)
    return found


def test_each_pair_has_the_program_s_vectors_and_loss(walk: ForwardPass) -> None:
    tokens = TOKENIZER.document("emma")
    assert [(p["token"], p["target"]) for p in walk["pairs"]] == [*pairwise(tokens)]
    for pair in walk["pairs"]:
        logits = step1.forward(pair["token"], WEIGHTS)
        p = step1.softmax(logits)
        exps = [math.exp(logit - max(logits)) for logit in logits]
        hidden = step1.linear(WEIGHTS["wte"][pair["token"]], WEIGHTS["fc1"])
        expected = {
            "x": WEIGHTS["wte"][pair["token"]],
            "hidden": hidden,
            "activated": [h if h > 0 else 0.0 for h in hidden],
            "logits": logits,
            "exps": exps,
            "probabilities": p,
        }
        assert pair["vectors"].keys() == expected.keys()
        for name, vector in expected.items():
            assert pair["vectors"][name] == pytest.approx(vector, rel=0.006), name
        assert pair["p"] == pytest.approx(p[pair["target"]], rel=1e-3)
        assert pair["loss"] == pytest.approx(-math.log(p[pair["target"]]), rel=1e-4)
        assert pair["largest"] == pytest.approx(max(logits), rel=0.006)
        assert pair["total"] == pytest.approx(sum(exps), rel=0.006)


def test_the_losses_add_up_to_the_mean(walk: ForwardPass) -> None:
    losses = [pair["loss"] for pair in walk["pairs"]]
    assert walk["mean"] == pytest.approx(sum(losses) / len(losses), abs=1e-4)
    mean = step1.mean_loss(TOKENIZER.document("emma"), WEIGHTS)
    assert walk["mean"] == pytest.approx(mean, rel=1e-4)
    assert walk["blind"] == pytest.approx(math.log(27), rel=1e-4)


def test_the_lines_run_in_the_order_of_the_program(walk: ForwardPass) -> None:
    loss, network, chances = step1.mean_loss, step1.forward, step1.softmax
    call = line(loss, "probabilities = ")
    of_a_pair = [
        line(loss, "for token"),
        call,
        line(network, "x ="),
        line(network, "hidden ="),
        line(network, "activated ="),
        line(network, "return linear"),
        call,
        line(chances, "largest ="),
        line(chances, "exps ="),
        line(chances, "total ="),
        line(chances, "return"),
        call,
        line(loss, "losses.append"),
    ]
    expected = [
        line(loss, "losses = "),
        *(of_a_pair * 5),
        line(loss, "for token"),
        line(loss, "return sum"),
        0,
    ]
    assert [step["line"] for step in walk["steps"]] == expected


def test_a_variable_is_shown_only_once_its_line_has_run(walk: ForwardPass) -> None:
    lines = {
        "x": line(step1.forward, "x ="),
        "hidden": line(step1.forward, "hidden ="),
        "activated": line(step1.forward, "activated ="),
        "largest": line(step1.softmax, "largest ="),
        "exps": line(step1.softmax, "exps ="),
        "total": line(step1.softmax, "total ="),
        "probabilities": line(step1.mean_loss, "probabilities ="),
    }
    done: set[int] = set()
    pair = 0
    for step, then in pairwise(walk["steps"]):
        if step["pair"] != pair:
            pair, done = step["pair"], set()
        held = {name for names in step["holds"].values() for name in names}
        for name, at in lines.items():
            assert name not in held or at in done, (name, step["line"])
        if then["line"] != step["line"] or step["line"] != lines["probabilities"]:
            done.add(step["line"])


def test_losses_are_counted_as_they_come(walk: ForwardPass) -> None:
    append = line(step1.mean_loss, "losses.append")
    count = 0
    for step in walk["steps"]:
        assert step["losses"] == count
        count += step["line"] == append
    assert count == 5


def test_waiting_lines_are_those_that_called(walk: ForwardPass) -> None:
    call = line(step1.mean_loss, "probabilities = ")
    of_mean_loss = range(
        line(step1.mean_loss, "def mean_loss"),
        line(step1.mean_loss, "return sum") + 1,
    )
    for step in walk["steps"]:
        inside = step["line"] and step["line"] not in of_mean_loss
        assert step["waiting"] == ([call] if inside else [])


def test_sentences_tell_the_true_numbers(walk: ForwardPass) -> None:
    says = [step["says"] for step in walk["steps"]]
    assert "The first pair: after BOS comes e. What did the network expect?" in says
    off = sum(h < 0 for h in step1.linear(WEIGHTS["wte"][4], WEIGHTS["fc1"]))
    assert f"{off} of the 64 are below 0, and become 0." in says
    p = step1.softmax(step1.forward(4, WEIGHTS))[12]
    assert (
        f"m came after e, and had a probability of {p:.4f}. Its loss,"
        f" −ln {p:.4f} = {-math.log(p):.4f}, joins the others."
    ) in says
    assert says[-1].startswith(f"mean_loss has returned {walk['mean']:.4f}")


def written(x: float) -> str:
    return f"{x:.4f}".replace("-", "−")


def test_each_sentence_of_a_pair_has_its_own_numbers(walk: ForwardPass) -> None:
    """The second pair, from "e" to "m"."""
    e, m, names = 4, 12, [*"abcdefghijklmnopqrstuvwxyz", "BOS"]
    logits = step1.forward(e, WEIGHTS)
    p, largest = step1.softmax(logits), max(logits)
    exps = [math.exp(logit - largest) for logit in logits]
    hidden = step1.linear(WEIGHTS["wte"][e], WEIGHTS["fc1"])
    assert [step["says"] for step in walk["steps"] if step["pair"] == 1] == [
        "The next pair: after e comes m. What did the network expect?",
        "forward is called with 4, the token e.",
        "Row 4 of wte is looked up: the embedding of e, 16 numbers.",
        "A dot product of x with each of the 64 rows of fc1.",
        f"{sum(h < 0 for h in hidden)} of the 64 are below 0, and become 0.",
        "A dot product of activated with each row of fc2: 27 logits.",
        "forward has returned 27 logits, and softmax is called with them.",
        (
            f"The largest logit is {written(largest)}, that of"
            f" {names[logits.index(largest)]}."
        ),
        (
            "The largest is taken from each logit; exp of what is left goes from"
            f" {written(min(exps))} to {written(max(exps))}."
        ),
        f"They add up to {written(sum(exps))}.",
        f"Each is divided by {written(sum(exps))}, so that all add up to 1.",
        f"softmax has returned 27 probabilities. m has {written(p[m])}.",
        (
            f"m came after e, and had a probability of {written(p[m])}. Its loss,"
            f" −ln {written(p[m])} = {written(-math.log(p[m]))}, joins the others."
        ),
    ]


def test_trained_weights_give_their_own_loss() -> None:
    weights = json.loads((ROOT / "docs/data/step1-weights.json").read_text())
    mean = step1.mean_loss(TOKENIZER.document("anna"), weights)
    assert forward_pass("anna", "trained")["mean"] == pytest.approx(mean, rel=1e-4)


def test_the_lines_are_those_of_the_file(walk: ForwardPass) -> None:
    file = (ROOT / walk["file"]).read_text().splitlines()
    lines = [each for function in walk["functions"] for each in function["lines"]]
    for each in lines:
        assert file[each["number"] - 1] == each["text"]
    assert {step["line"] for step in walk["steps"]} - {0} <= {
        each["number"] for each in lines
    }


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "type a name"),
        ("  ", "type a name"),
        ("zoë", "does not know the character 'ë'"),
        ("a b", "does not know the character ' '"),
        ("Emma", "type 'emma', in small letters"),
        ("a" * 17, "at most 16 letters"),
    ],
)
def test_what_is_no_name_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        forward_pass(name, "untrained")


def test_the_longest_name_is_walked_to_its_end() -> None:
    walk = forward_pass("a" * 16, "untrained")
    assert len(walk["pairs"]) == 17
    assert walk["steps"][-1]["line"] == 0
