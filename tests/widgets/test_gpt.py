"""What widgets see of the models of Steps 3 to 6 is what the models compute."""

from __future__ import annotations

import pytest

from microgpt import Config, Run, Tokenizer, load_model, load_names, softmax
from microgpt.attention import Cache
from snippets import step3
from widgets._gpt import gpt, numbers, read, step3_weights
from widgets._names import tokenizer_of_the_names

TOKENS = tokenizer_of_the_names().document("emma")[:-1]


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_each_head_is_one_call_of_attend(state):
    for position, forward in enumerate(read("step6", state, TOKENS)):
        assert forward.name == "forward"
        (attention,) = forward.all("attention")
        heads = attention.all("attend")
        assert len(heads) == 4
        joined = [x for head in heads for x in head.result]
        assert joined == attention.variables["gathered"]
        for head in heads:
            weights = numbers(head.variables["weights"])
            assert len(weights) == position + 1
            assert sum(weights) == pytest.approx(1)


def test_the_logits_are_those_of_the_model():
    model, _ = load_model()
    cache = model.new_cache()
    for token, forward in zip(TOKENS, read("step6", "trained", TOKENS), strict=True):
        assert numbers(forward.result) == numbers(model.forward(token, cache))
    weights, one = step3_weights("trained"), Cache()
    for token, forward in zip(TOKENS, read("step3", "trained", TOKENS), strict=True):
        expected = step3.forward(token, weights, one)
        assert numbers(forward.result) == numbers(expected)
        assert len(forward.all("attention")[0].all("attend")) == 1


def test_the_untrained_model_is_the_one_that_a_run_begins_with():
    names = load_names()
    run = Run(names, Config(vocab_size=Tokenizer(names).vocab_size), 1000)
    begun = [p.data for p in run.model.parameters()]
    assert begun == [p.data for p in gpt("untrained").parameters()]
    assert begun != [p.data for p in gpt("trained").parameters()]


def test_training_has_taught_the_models_something():
    tokens = tokenizer_of_the_names().document("anna")
    for program in ("step3", "step6"):
        before, after = (
            [
                softmax(forward.result)[target].data
                for forward, target in zip(
                    read(program, state, tokens[:-1]), tokens[1:], strict=True
                )
            ]
            for state in ("untrained", "trained")
        )
        assert sum(after) > 3 * sum(before)


def test_a_state_that_does_not_exist_is_refused():
    for program in ("step3", "step6"):
        with pytest.raises(ValueError, match="choose untrained or trained"):
            read(program, "half", TOKENS)  # type: ignore[arg-type]
