"""What a page computes of models, asked under Node, is what the package and its programs give."""

import json
import random
from typing import Any

import pytest
from pytest import approx

from microgpt import GPT, Config, load_model, load_names
from snippets import step1
from snippets.ready import looks
from tests.models import ROOT, document, recorded
from tests.processes import javascript
from tests.snippets.test_ends import ENDS, trained

NAME = "lena"


def computed(expression: str) -> Any:
    """Evaluate an expression about what web/engine exports, which is called `engine`."""
    what = f"import * as engine from {(ROOT / 'web/dist/engine.mjs').as_uri()!r}; "
    return json.loads(javascript(f"{what}console.log(JSON.stringify({expression}))"))


# The whole GPT


def reading(model: GPT, heads: int, tokens: list[int]) -> Any:
    """Ask the page's engine for every number on the way of some tokens."""
    matrices = {
        name: [[p.data for p in row] for row in rows]
        for name, rows in model.weights.items()
    }
    asked = f"engine.gptOf({heads}, {json.dumps(matrices)}).read({tokens})"
    return computed(asked)


@pytest.mark.parametrize("end", [*ENDS, "package"])
def test_every_number_of_a_gpt_is_the_package_s(end: str) -> None:
    model = load_model()[0] if end == "package" else trained(end)
    tokens, cache = document(NAME)[:-1], model.new_cache()
    read = reading(model, ENDS.get(end, 4), tokens)
    for token, logits in zip(tokens, read["logits"], strict=True):
        assert logits == approx([x.data for x in model.forward(token, cache)], abs=1e-9)
    for layer, kept in zip(read["layers"], cache, strict=True):
        for of, rows in (("key", kept.keys), ("value", kept.values)):
            for found, row in zip(layer[of], rows, strict=True):
                assert found == approx([x.data for x in row], abs=1e-9)


@pytest.mark.parametrize("end", ENDS)
def test_attention_and_the_streams_are_those_of_the_steps(end: str) -> None:
    weights, heads = recorded(end), ENDS[end]
    [layer] = reading(trained(end), heads, document(NAME)[:-1])["layers"]
    shares = [row for rows in zip(*layer["weights"], strict=True) for row in rows]
    for found, expected in zip(shares, looks(weights, NAME, heads), strict=True):
        assert found == approx(expected, abs=1e-9)
    for t, token in enumerate(document(NAME)[:-1]):
        row = {of: layer[of][t] for of in layer if of != "weights"}
        pair = zip(weights["wte"][token], weights["wpe"][t], strict=True)
        assert row["before"] == approx(normalized([a + b for a, b in pair]))
        assert row["normed"] == approx(normalized(row["before"]))
        attended = step1.linear(row["joined"], weights["layer0.attn_wo"])
        assert row["between"] == approx(plus(row["before"], attended))
        assert row["normedAgain"] == approx(normalized(row["between"]))
        hidden = step1.linear(row["normedAgain"], weights["layer0.mlp_fc1"])
        assert row["activated"] == approx([max(0, h) for h in hidden], abs=1e-9)
        fed = step1.linear(row["activated"], weights["layer0.mlp_fc2"])
        assert row["after"] == approx(plus(row["between"], fed))


def normalized(x: list[float]) -> list[float]:
    scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
    return [xi * scale for xi in x]


def plus(a: list[float], b: list[float]) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]


def test_weights_before_training_are_drawn_as_the_package_draws_them() -> None:
    rng = random.Random(42)
    rng.shuffle(names := load_names())
    model = GPT(Config(), rng)
    sizes = {"vocab": 27, "layers": 1, "width": 16, "heads": 4, "context": 16}
    gpt = f"new engine.Gpt({sizes}).draw(engine.afterShuffle({len(names)}))"
    drawn = computed(f"[...{gpt}.weights]")
    weights = [p.data for rows in model.weights.values() for row in rows for p in row]
    assert drawn == approx(weights, abs=1e-12)
