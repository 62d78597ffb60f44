"""What models score on names that they have not seen, and what heads are worth there."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from microgpt import Tokenizer, load_names
from snippets import step0, step1
from snippets.ready.losses import per_token
from snippets.records import runs
from snippets.records.record import held_out_losses
from tests.models import ROOT, Start, recorded
from tests.thorough import nightly

HELD_OUT: dict[str, float] = recorded("held-out")
HEADS: dict[str, dict[str, float]] = recorded("heads")


@pytest.fixture(scope="module")
def counted() -> Start:
    """Step 0, once it has counted a thousand names."""
    start = Start(step0)
    start.losses(1000)
    return start


def loss_on(names: Sequence[str], program: Any, weights: Any) -> float:
    """Return the loss per token of a program's model on some names."""
    documents = [*map(Tokenizer(load_names()).document, names)]
    return per_token(lambda tokens: program.mean_loss(tokens, weights), documents)


@nightly
def test_the_recorded_losses_are_those_of_the_models_trained_anew() -> None:
    assert pytest.approx(held_out_losses(), rel=5e-6) == HELD_OUT
    found = runs.heads()
    assert list(HEADS) == list(found) == ["step4", "step5"]
    for step, losses in found.items():
        assert HEADS[step] == pytest.approx(losses, rel=5e-6)


def test_heads_that_look_everywhere_alike_are_one_head() -> None:
    """What the page on training with four heads says."""
    plain, adam = HEADS["step4"], HEADS["step5"]
    assert plain["four"] == HELD_OUT["step4"]
    assert plain["one"] == pytest.approx(plain["four"], abs=5e-4)
    assert plain["equal"] == pytest.approx(plain["four"], abs=5e-4)
    assert adam["four"] == HELD_OUT["step5"]
    assert adam["one"] > adam["four"] + 0.005
    assert adam["equal"] > adam["four"]


def test_the_page_states_what_both_models_score(counted: Start) -> None:
    """On the names that they learnt from, and on those that they did not."""
    page = (ROOT / "docs/gradient-descent/to-the-end.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (counting|network) \|(.+)$", page, re.MULTILINE)
    learnt = counted.names[:1000]
    expected = {
        "counting": [loss_on(learnt, step0, counted.weights), HELD_OUT["step0"]],
        "network": [
            loss_on(learnt, step1, recorded("step1-weights")),
            HELD_OUT["step1"],
        ],
    }
    assert len(table) == 2
    for model, row in table:
        stated = [float(number) for number in re.findall(r">([\d.]+)</data>", row)]
        assert stated == pytest.approx(expected[model], abs=5.1e-4)


def test_no_table_has_a_lower_loss_than_the_shares_of_the_pairs(counted: Start) -> None:
    """What the page derives from the gradient: counting finds the minimum."""
    documents = map(counted.tokenizer.document, counted.names[:1000])
    bos = counted.tokenizer.bos
    first = [b for tokens in documents for a, b in pairwise(tokens) if a == bos]
    p = step0.probabilities(bos, counted.weights, smoothing=0.0)
    for token in range(counted.tokenizer.vocab_size):
        slopes = [p[token] - (target == token) for target in first]
        assert sum(slopes) == pytest.approx(0, abs=1e-9)
