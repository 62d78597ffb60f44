"""Each question costs what the program says, and the means add up."""

import math

import pytest

from microgpt import Tokenizer
from snippets import step0
from tests.models import document, refusals, shuffled
from widgets.name_loss.model import name_loss


@pytest.mark.parametrize("name", ["emma", "x", "qqq", "bartholomewjames"])
def test_a_loss_is_minus_the_logarithm_and_means_add_up(name: str) -> None:
    names, tokens = [*shuffled()], document(name)
    result = name_loss(name)
    assert result["models"][0]["learnt"] == 0
    assert result["blind"] == pytest.approx(math.log(27), abs=5.1e-5)
    for model in result["models"]:
        counts = step0.zero_counts(27)
        tokenizer = Tokenizer(names)
        assert (
            len([*step0.train(names, tokenizer, counts, model["learnt"])])
            == (model["learnt"])
        )
        questions = model["questions"]
        assert len(questions) == len(name) + 1
        costs: list[float] = []
        for i, question in enumerate(questions):
            assert (question["token"], question["target"]) == (tokens[i], tokens[i + 1])
            p = step0.probabilities(tokens[i], counts)[tokens[i + 1]]
            costs.append(-math.log(p))
            mean = sum(costs) / len(costs)
            assert question["p"] == pytest.approx(p, abs=5.1e-5)
            assert question["loss"] == pytest.approx(costs[-1], abs=5.1e-5)
            assert question["choice"] == pytest.approx(1 / p, abs=0.0501)
            assert question["mean"] == pytest.approx(mean, abs=5.1e-5)
            assert question["mean_choice"] == pytest.approx(math.exp(mean), abs=0.0501)


test_what_is_no_name_is_refused = refusals(
    name_loss, {}, ({"name": "a" * 17}, "type at most 16 letters")
)
