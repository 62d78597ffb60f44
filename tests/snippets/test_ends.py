"""The weights of the heads trained to the end are those of the Trainer's recorded runs.

They are `one-end-weights` and `four-end-weights` of docs/data.
"""

import json
import random
from functools import partial
from pathlib import Path

import pytest

from microgpt import GPT, Config, Tokenizer, Value
from microgpt.engines import lists
from snippets.ready import looks, per_token
from tests.models import document, recorded, shuffled, transformer
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
    recording = run(end.removesuffix("-weights"))
    names = shuffled(recording["begun"]["setup"]["seed"])
    learnt = names[: len(names) * 9 // 10]
    held_out = [name for name in names[len(learnt) :] if name not in {*learnt}]
    assert len(held_out) == recording["begun"]["heldOut"]
    documents = list(map(Tokenizer(list(names)).document, held_out))
    loss = per_token(partial(lists.document_loss, trained(end)), documents)
    assert loss == pytest.approx(recording["moments"][-1]["heldOut"], abs=2e-4)


@pytest.mark.parametrize("end", ENDS)
def test_what_pages_trace_and_draw_is_what_plain_floats_compute(end: str) -> None:
    heads, tokens = ENDS[end], document(NAME)[:-1]
    expected = transformer(recorded(end), tokens, heads)
    asked = f"""
        import {{ trace }} from {TRAINING.as_uri()!r};
        const matrices = {json.dumps(recorded(end))};
        const readings = trace({{ matrices, heads: {heads} }}, {tokens});
        console.log(JSON.stringify(readings.map(({{ logits, layers }}) =>
          ({{ logits, looks: layers.flatMap((layer) => layer.heads) }}))));"""
    for reading, token in zip(json.loads(javascript(asked)), expected, strict=True):
        assert reading["logits"] == pytest.approx(token["lm_head"], abs=1e-9)
        key = [number for look in reading["looks"] for number in look["key"]]
        assert key == pytest.approx(token["key"], abs=1e-9)
        for look, weights in zip(reading["looks"], token["weights"], strict=True):
            assert look["weights"] == pytest.approx(weights, abs=1e-9)
    weights = [each for token in expected for each in token["weights"]]
    drawn = looks(recorded(end), NAME, heads)
    assert drawn == [pytest.approx(each, abs=1e-9) for each in weights]
