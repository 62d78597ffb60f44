"""What widgets see of names, and of the models of Steps 3 to 6, is what these have."""

import pytest

from microgpt import Config, Run, Tokenizer, load_names
from tests import models
from widgets._gpt import Program, gpt, numbers, read, step3_weights
from widgets._names import document
from widgets._network import State

EMMA = models.document("emma")


@pytest.mark.parametrize("state", ["untrained", "trained"])
@pytest.mark.parametrize(("program", "count"), [("step3", 1), ("step6", 4)])
def test_the_calls_have_the_numbers_of_the_models(
    program: Program, count: int, state: State
) -> None:
    """And plain floats, which many tests compare with, agree with the package."""
    weights = step3_weights(state) if program == "step3" else gpt(state).weights
    tokens = models.transformer(weights, EMMA[:-1], count)
    for forward, token in zip(read(program, state, EMMA[:-1]), tokens, strict=True):
        assert forward.name == "forward"
        assert numbers(forward.result) == pytest.approx(token.logits)
        (attention,) = forward.all("attention")
        heads = attention.all("attend")
        joined = [x for head in heads for x in numbers(head.result)]
        assert joined == pytest.approx(token.gathered)
        for head, row in zip(heads, token.weights, strict=True):
            assert numbers(head.variables["weights"]) == pytest.approx(row)


def test_the_untrained_model_is_the_one_that_a_run_begins_with() -> None:
    names = load_names()
    run = Run(names, Config(vocab_size=Tokenizer(names).vocab_size), 1000)
    begun = [p.data for p in run.model.parameters()]
    assert begun == [p.data for p in gpt("untrained").parameters()]
    assert begun != [p.data for p in gpt("trained").parameters()]


@pytest.mark.parametrize("program", ["step3", "step6"])
def test_training_has_taught_the_models_something(program: Program) -> None:
    tokens = models.document("anna")
    sums = []
    for state in ("untrained", "trained"):
        calls = read(program, state, tokens[:-1])
        predicted = [models.softmax(numbers(call.result)) for call in calls]
        sums.append(sum(p[t] for p, t in zip(predicted, tokens[1:], strict=True)))
    before, after = sums
    assert after > 3 * before


test_a_state_that_does_not_exist_is_refused = models.refusals(
    read,
    {"tokens": EMMA, "state": "half"},
    ({"program": "step3"}, "choose untrained or trained"),
    ({"program": "step6"}, "choose untrained or trained"),
)

test_what_is_no_name_is_refused = models.refusals(
    document,
    {},
    ({"name": ""}, "type a name: one letter or more"),
    ({"name": "  "}, "type a name: one letter or more"),
    ({"name": "a" * 17}, "type at most 16 letters: this has 17"),
    ({"name": "abc", "longest": 2}, "type at most 2 letters: this has 3"),
    ({"name": "zoë"}, "does not know the character 'ë'; it knows 'abc.*xyz'$"),
    ({"name": "a b"}, "does not know the character ' '"),
    ({"name": "<b>"}, "does not know the character '<'"),
    ({"name": "😀"}, "does not know the character"),
)


def test_spaces_around_a_name_and_capitals_do_not_count() -> None:
    assert document(" Emma ") == EMMA
