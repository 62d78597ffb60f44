"""Variants of model and optimizer: gradients, updates, and recorded learning rates."""

import random

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.recipes import Engine
from bench.variant_losses import NAME_COUNTS, ORIGINAL_NAME_COUNTS, VARIANTS
from microgpt.engines.c import MemorySection
from tests.models import load_record
from tests.package.helpers import restore_weights
from tests.variant_gpt import CONFIG, DOCUMENTS, VariantGPT


def test_gradient_of_tied_embeddings_equals_autograd() -> None:
    model = VariantGPT({})
    model.weights["lm_head"] = model.weights["wte"]
    parameters = model.parameters()
    engine = Engine(CONFIG, random.Random(1), tied=True, precision="float64")
    restore_weights(engine, [p.data for p in parameters])
    loss = model.mean_document_loss("cross-entropy")
    loss.backward()
    assert engine.compute_gradient(DOCUMENTS) == pytest.approx(loss.data, rel=1e-12)
    gradient = engine.copy_section(MemorySection.GRADIENT)
    assert gradient == pytest.approx([p.grad for p in parameters], abs=1e-12)


def test_tied_embedding_and_head_stay_equal_while_training() -> None:
    tied = VARIANTS["tied, tuned"]
    engine = tied.build_engine(5, random.Random(1))
    first, last = (engine.sections[0, part] for part in engine.tied_slices)
    before = first.copy()
    for _ in range(5):
        tied.train_step(engine, DOCUMENTS, 0.1, 30_000)
    assert (first == last).all() and not (first == before).any()


@pytest.mark.parametrize("name", ["SGD", "momentum", "AdamW"])
def test_optimizer_variant_updates_weights_as_pytorch_does(name: str) -> None:
    torch = pytest.importorskip("torch")
    variant, rate = VARIANTS[name], 0.1
    engine = variant.build_engine(5, random.Random(1))
    initial = engine.copy_section(MemorySection.WEIGHTS)
    weights = torch.tensor(initial, requires_grad=True)
    if variant.sgd:
        optimizer = torch.optim.SGD([weights], rate, momentum=variant.momentum)
    else:
        options = {"betas": (0.85, 0.99), "weight_decay": variant.decay}
        optimizer = torch.optim.AdamW([weights], rate, **options)
    for _ in range(5):
        engine.compute_gradient(DOCUMENTS)
        weights.grad = torch.tensor(engine.copy_section(MemorySection.GRADIENT))
        optimizer.step()
        variant.train_step(engine, DOCUMENTS, rate, 30_000)
        expected = pytest.approx(weights.tolist(), abs=1e-4)
        assert engine.copy_section(MemorySection.WEIGHTS) == expected


def test_best_learning_rates_are_inside_the_tried_range() -> None:
    counts = {"guide": NAME_COUNTS, "original": ORIGINAL_NAME_COUNTS}
    for part, study in load_record("variants").items():
        for name, ends in study["rungs"].items():
            assert [*map(int, ends)] == list(counts[part])
            for end in ends.values():
                assert end["choice"] in VARIANTS[name].candidates[0][1:-1]
