"""What models score on names that they have not seen, and what heads are worth there."""

import re
from collections.abc import Sequence
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
