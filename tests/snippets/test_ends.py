"""The weights of the heads trained to the end are those of the Trainer's recorded runs.

They are `one-end-weights` and `four-end-weights` of docs/data.
"""

import json
import math
import random
from itertools import islice
from pathlib import Path

import pytest

from microgpt import GPT, Config, Tokenizer, Value, attention, load_names, softmax
from microgpt.engines import lists
from snippets.ready import looks
from tests.models import recorded
from tests.processes import javascript
from widgets.trainer.model import recorded as run

NAME = "lena"
ENDS = {"one-end-weights": 1, "four-end-weights": 4}  # and their heads
TRAINING = Path(__file__).parents[2] / "web/dist/training.mjs"


def trained(end: str) -> GPT:
    """Return the package's model with the recorded weights."""
    model = GPT(Config(n_head=ENDS[end]), random.Random(0))
    weights = recorded(end)
    assert weights.keys() == model.weights.keys()
    for name, rows in weights.items():
        model.weights[name] = [[Value(number) for number in row] for row in rows]
    return model


@pytest.mark.parametrize("end", ENDS)
def test_they_have_the_recorded_loss_on_the_names_that_were_held_out(end: str) -> None:
    begun = run(end.removesuffix("-weights"))
    names = load_names()
    random.Random(begun["begun"]["setup"]["seed"]).shuffle(names)
    tokenizer = Tokenizer(names)
    learnt = math.floor(0.9 * len(names))
    known = set(names[:learnt])
    held_out = [name for name in islice(names, learnt, None) if name not in known]
    assert len(held_out) == begun["begun"]["heldOut"]
    model, total, tokens = trained(end), 0.0, 0
    for document in map(tokenizer.document, held_out):
        asked = min(len(document), model.config.block_size + 1) - 1
        total += asked * lists.document_loss(model, document)
        tokens += asked
    loss = begun["moments"][-1]["heldOut"]
    assert total / tokens == pytest.approx(loss, abs=2e-4)


@pytest.mark.parametrize("end", ENDS)
def test_what_pages_trace_is_what_the_package_computes(
    monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    heads = ENDS[end]
    seen: list[list[float]] = []

    def watched(scores: list[Value]) -> list[Value]:
        weights = softmax(scores)
        seen.append([weight.data for weight in weights])
        return weights

    monkeypatch.setattr(attention, "softmax", watched)
    model, tokens = trained(end), Tokenizer(load_names()).document(NAME)[:-1]
    cache = model.new_cache()
    logits = [[x.data for x in model.forward(token, cache)] for token in tokens]
    asked = f"""
        import {{ trace }} from {TRAINING.as_uri()!r};
        const matrices = {json.dumps(recorded(end))};
        const readings = trace({{ matrices, heads: {heads} }}, {tokens});
        console.log(JSON.stringify(readings.map(({{ logits, layers }}) =>
          ({{ logits, looks: layers.flatMap((layer) => layer.heads) }}))));"""
    readings = json.loads(javascript(asked))
    for reading, expected in zip(readings, logits, strict=True):
        assert reading["logits"] == pytest.approx(expected, abs=1e-9)
    weights = [look["weights"] for reading in readings for look in reading["looks"]]
    assert weights == [pytest.approx(each, abs=1e-9) for each in seen]
    for reading, kept in zip(readings, cache[0].keys, strict=True):
        key = [number for look in reading["looks"] for number in look["key"]]
        assert key == pytest.approx([x.data for x in kept], abs=1e-9)
    found = looks(recorded(end), NAME, heads)
    assert found == [pytest.approx(each, abs=1e-9) for each in seen]
