"""Losses and samples are those of the original, on the names that it trains on."""

from __future__ import annotations

import json

import pytest

from microgpt import Config, Run, load_names, sample
from microgpt.engines import MissingLibraryError, load_engine
from tests.package.helpers import ORIGINAL
from tests.thorough import nightly

RECORD = ORIGINAL / "canonical.json"
LAST_LOSS = "2.6497"
SAMPLES = "kamon ann karai jaire vialan karia yeran anna areli kaina"


@pytest.mark.skipif(
    not RECORD.exists(),
    reason="the original's names and losses are not beside the repository",
)
@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("dot", 100),
        ("lists", 100),
        ("numpy", 1000),
        pytest.param("dot", 1000, marks=nightly),
    ],
)
def test_an_engine_gives_the_run_of_the_original(name: str, steps: int) -> None:
    try:
        engine = load_engine(name)
    except MissingLibraryError as error:
        pytest.skip(str(error))
    record = json.loads(RECORD.read_text())
    names = load_names(ORIGINAL / "names.txt")
    run = Run(names, Config(), record["steps"], engine=engine)
    assert len(run.documents) == record["num_docs"] == 32033
    assert run.documents[0] == "yuheng"
    assert run.tokenizer.vocab_size == 27
    losses = list(run.train(steps))
    expected = record["losses_first_100"]
    assert losses[:100] == pytest.approx(expected, rel=0, abs=1e-12)
    if steps == run.num_steps:
        assert f"{losses[-1]:.4f}" == LAST_LOSS
        invented = [sample(run.model, run.tokenizer, run.rng) for _ in range(10)]
        assert " ".join(invented) == SAMPLES
