"""On the original's names, losses and samples equal the original's."""

import json
import random

import pytest

from microgpt import Config, Run, load_names, sample
from tests.marks import nightly
from tests.models import ORIGINAL_DATA_FOLDER, needs_original_names

ORIGINAL_LAST_LOSS = "2.6497"
ORIGINAL_SAMPLES = "kamon ann karai jaire vialan karia yeran anna areli kaina"


@needs_original_names
@pytest.mark.parametrize(
    ("name", "steps", "tolerance"),
    [
        ("dot", 100, 1e-12),
        ("lists", 100, 1e-12),
        ("numpy", 1000, 1e-12),
        ("c", 1000, 1e-12),
        ("torch", 1000, 1e-9),
        pytest.param("dot", 1000, 1e-12, marks=nightly),
    ],
)
def test_engine_reproduces_losses_and_samples_of_the_original(
    name: str, steps: int, tolerance: float
) -> None:
    engine = pytest.importorskip(f"microgpt.engines.{name}").Engine
    record = json.loads((ORIGINAL_DATA_FOLDER / "canonical.json").read_text())
    names = load_names(ORIGINAL_DATA_FOLDER / "names.txt")
    run = Run(names, Config(), record["steps"], engine=engine)
    assert len(run.documents) == record["num_docs"] == 32033
    assert run.documents[0] == "yuheng"
    assert run.tokenizer.vocab_size == 27
    losses = list(run.train(steps))
    expected = record["losses_first_100"]
    assert losses[:100] == pytest.approx(expected, rel=0, abs=tolerance)
    if steps == run.num_steps:
        assert f"{losses[-1]:.4f}" == ORIGINAL_LAST_LOSS
        for model in {run.model, getattr(run.engine, "inference_model", run.model)}:
            rng = random.Random()
            rng.setstate(run.rng.getstate())
            samples = [sample(model, run.tokenizer, rng) for _ in range(10)]
            assert " ".join(samples) == ORIGINAL_SAMPLES
