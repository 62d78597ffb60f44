"""The engine of variants computes what a graph of `Value`s computes, whatever the parts."""

import random
from itertools import chain

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.rungs import NETWORK
from microgpt import Config, Tokenizer
from microgpt.engines import c, variant
from microgpt.engines.variant import FIELDS, Parts
from snippets import step1
from tests.package.helpers import NAMES, with_weights
from tests.variant_gpt import CONFIG, DOCUMENTS, VariantGPT

# The numbers that are tried of a field that has no choices
NUMBERS = {"window": (1, 2), "ahead": (1, 2), "mlp_width": (3, 12)}
ALONE: list[Parts] = [
    {field: part}
    for field, choices in FIELDS.items()
    for part in (choices[1:] or NUMBERS[field])
]


def some_together(count: int) -> list[Parts]:
    """Draw parts for half of the fields."""
    rng = random.Random(1)
    return [
        {
            field: rng.choice([*(FIELDS[field] or NUMBERS[field])])
            for field in rng.sample([*FIELDS], len(FIELDS) // 2)
        }
        for _ in range(count)
    ]


@pytest.mark.parametrize("parts", [{}, *ALONE, NETWORK, *some_together(20)], ids=str)
def test_loss_and_gradient_are_those_of_the_graph(parts: Parts) -> None:
    model = VariantGPT(parts)
    parameters = model.parameters()
    engine = variant.Engine(CONFIG, random.Random(), parts=parts)
    with_weights(engine, [p.data for p in parameters])
    entropy = model.loss("cross-entropy").data
    assert engine.gradient(DOCUMENTS) == pytest.approx(entropy, rel=1e-12)
    model.loss(str(model.parts["loss"])).backward()
    expected = [p.grad for p in parameters]
    rounding = 1e-12 * max(map(abs, expected))
    assert engine.part(1) == pytest.approx(expected, rel=1e-12, abs=rounding)


def test_without_other_parts_it_is_the_engine_in_c_to_the_last_bit() -> None:
    config, names = Config(n_layer=2), NAMES[:50]
    documents = [Tokenizer(names).document(name) for name in names]
    engines = [kind(config, random.Random(1)) for kind in (c.Engine, variant.Engine)]
    losses = [[e.step(documents, 0.01) for _ in range(10)] for e in engines]
    assert losses[0] == losses[1]
    assert engines[0].state() == engines[1].state()


def test_variants_begin_with_the_same_weights_and_no_biases() -> None:
    usual = c.Engine(CONFIG, random.Random(1)).part(0)
    biased = variant.Engine(CONFIG, random.Random(1), parts={"biases": "yes"}).part(0)
    assert biased[: len(usual)] == usual
    assert set(biased[len(usual) :]) == {0.0}


def test_the_network_of_step_1_is_a_variant() -> None:
    tokenizer = Tokenizer(NAMES)
    weights = step1.initial_weights(tokenizer.vocab_size, random.Random(3))
    wte, fc1, fc2 = (list(chain(*matrix)) for matrix in weights.values())
    unused = [0.0] * 256, [0.0] * 1024
    placed = [*wte, *unused[0], *fc2, *unused[1], *fc1, *unused[1]]
    config = Config(tokenizer.vocab_size)
    engine = variant.Engine(config, random.Random(), parts=NETWORK)
    with_weights(engine, placed)
    for name in NAMES[:20]:
        document = tokenizer.document(name)
        expected = step1.train_step(document, weights, 0.5)
        assert engine.gradient([document]) == pytest.approx(expected, rel=1e-12)
        engine.descend(0.5)


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"dropout": "yes"}, "no part 'dropout'"),
        ({"norm": "batch"}, "norm must be rms, layer, none, not 'batch'"),
        ({"window": "all"}, "window must be a number, not 'all'"),
        ({"window": -1}, "window must be a number, not -1"),
    ],
)
def test_parts_that_do_not_exist_are_refused(parts: Parts, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        variant.Engine(CONFIG, random.Random(1), parts=parts)


def test_a_vocabulary_may_be_large() -> None:
    for loss in FIELDS["loss"]:
        config = Config(30_000, 1, 4, 1, 4)
        engine = variant.Engine(config, random.Random(1), parts={"loss": loss})
        assert engine.gradient([[29_999, 0, 1]]) > 0


def test_a_model_with_too_many_layers_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 32 layers"):
        variant.Engine(Config(n_layer=33), random.Random(1))
