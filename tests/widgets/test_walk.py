"""What a token becomes on its way is what the model computes, in plain floats."""

from __future__ import annotations

import json
import linecache
import math
from pathlib import Path

import pytest

from microgpt import load_model
from widgets._gpt import gpt
from widgets._names import document
from widgets._network import State
from widgets.walk import Walk, walk

ROOT = Path(__file__).parents[2]
FILES = {
    "forward": "model",
    "attention": "model",
    "mlp": "model",
    "attend": "attention",
    "rmsnorm": "nn",
    "softmax": "nn",
}
NAMES = [
    *("token_embedding", "position_embedding", "x", "x"),
    *("normed", "query", "key", "value", "scores", "weights", "gathered"),
    *("output", "x", "rmsnorm(x)", "hidden", "activated", "output", "x"),
    *("logits", "probabilities"),
]
Vector = list[float]


def softmax(scores: Vector) -> Vector:
    exps = [math.exp(score) for score in scores]
    return [exp / sum(exps) for exp in exps]


def scaled(x: Vector) -> Vector:
    size = math.sqrt(sum(xi * xi for xi in x) / len(x) + 1e-5)
    return [xi / size for xi in x]


def vectors(name: str, position: int, state: State) -> list[Vector]:
    """Compute every vector in floats: no Value, no cache, no function of the package."""
    weights = {
        matrix: [[w.data for w in row] for row in rows]
        for matrix, rows in gpt(state).weights.items()
    }

    def times(matrix: str, x: Vector) -> Vector:
        return [sum(map(float.__mul__, row, x)) for row in weights[matrix]]

    def block(part: str, x: Vector) -> Vector:
        return times(f"layer0.{part}", x)

    keys: list[Vector] = []
    values: list[Vector] = []
    for at, token in enumerate(document(name)[: position + 1]):
        rows = weights["wte"][token], weights["wpe"][at]
        added = [t + p for t, p in zip(*rows, strict=True)]
        x = scaled(added)
        normed = scaled(x)
        query = block("attn_wq", normed)
        keys.append(block("attn_wk", normed))
        values.append(block("attn_wv", normed))
        scores = [
            [sum(query[i] * key[i] for i in range(h, h + 4)) / 2 for key in keys]
            for h in range(0, 16, 4)
        ]
        heads = [softmax(row) for row in scores]
        gathered = [
            sum(w * value[i] for w, value in zip(heads[i // 4], values, strict=True))
            for i in range(16)
        ]
        found = block("attn_wo", gathered)
        then = [a + b for a, b in zip(x, found, strict=True)]
        hidden = block("mlp_fc1", scaled(then))
        activated = [max(0.0, h) for h in hidden]
        thought = block("mlp_fc2", activated)
        last = [a + b for a, b in zip(then, thought, strict=True)]
        logits = times("lm_head", last)
    flat = [[s for row in each for s in row] for each in (scores, heads)]
    return [
        *(*rows, added, x, normed, query, keys[-1], values[-1], *flat, gathered),
        *(found, then, scaled(then), hidden, activated, thought, last),
        *(logits, softmax(logits)),
    ]


def close(numbers: Vector) -> object:
    return pytest.approx(numbers, rel=6e-4, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "position", "state"),
    [
        ("emma", 3, "trained"),
        ("emma", 0, "untrained"),
        ("abcdefghijklmno", 15, "trained"),
    ],
)
def test_every_vector_is_the_models(name: str, position: int, state: State) -> None:
    shown = walk(name, position, state)
    assert [stage["name"] for stage in shown["stages"]] == NAMES
    expected = vectors(name, position, state)
    for stage, numbers in zip(shown["stages"], expected, strict=True):
        assert stage["values"] == close(numbers), stage["name"]
        assert stage["limit"] >= max(map(abs, stage["values"]))


def test_the_floats_of_this_test_are_the_models_logits() -> None:
    model, _ = load_model()
    cache = model.new_cache()
    for token in document("emma")[:4]:
        logits = model.forward(token, cache)
    expected = vectors("emma", 3, "trained")[-2]
    assert [v.data for v in logits] == pytest.approx(expected)


@pytest.fixture(scope="module")
def emma() -> Walk:
    return walk("emma", 3, "trained")


def test_every_number_can_be_made_of_what_the_page_carries(emma: Walk) -> None:
    (cache,) = emma["caches"]
    count, heads = len(emma["read"]), emma["heads"]
    assert len(cache["keys"]) == len(cache["values"]) == count == 4
    made = set()
    for place, stage in enumerate(emma["stages"]):
        inputs = [emma["stages"][i]["values"] for i in stage["inputs"]]
        assert all(i < place for i in stage["inputs"])
        made.add(stage["made"])
        width = 16 // heads
        for index, value in enumerate(stage["values"]):
            head, token = divmod(index, count)
            of_head = range(head * width, head * width + width)
            match stage["made"]:
                case "row":
                    row = gpt("trained").weights[stage["matrix"]][stage["row"]]
                    found = row[index].data
                case "sum":
                    found = sum(each[index] for each in inputs)
                case "scaled":
                    found = inputs[0][index] * stage["scale"]
                case "product":
                    row_of = emma["weights"][stage["matrix"]][index]
                    found = sum(
                        w * emma["unit"] * x
                        for w, x in zip(row_of, inputs[0], strict=True)
                    )
                case "relu":
                    found = max(0.0, inputs[0][index])
                case "score":
                    key = cache["keys"][token]
                    found = sum(inputs[0][i] * key[i] for i in of_head) * stage["scale"]
                case "weight":
                    scores = inputs[0][head * count : head * count + count]
                    found = softmax(scores)[token]
                case "average":
                    first = index // width * count
                    found = sum(
                        inputs[0][first + t] * cache["values"][t][index]
                        for t in range(count)
                    )
                case _:
                    found = softmax(inputs[0])[index]
            assert value == pytest.approx(found, rel=0.01, abs=0.003), (place, index)
    assert len(made) == 9


def test_the_lit_lines_are_those_that_make_the_stage(emma: Walk) -> None:
    makes = {
        "query": ("query = linear", "x = self.attention"),
        "scores": ("weights = softmax", "gathered += attend", "x = self.attention"),
        "weights": ("return [exp * scale", "weights = softmax", "gathered += attend"),
        "gathered": ("dot(weights", "gathered += attend"),
        "hidden": ("hidden = linear", "x = self.mlp"),
        "rmsnorm(x)": ("return [xi * scale", "hidden = linear", "x = self.mlp"),
        "logits": ('return linear(x, self.weights["lm_head"])',),
    }
    listed = {
        source["name"]: {line["number"]: line["text"] for line in source["lines"]}
        for source in emma["functions"]
    }
    assert set(listed) == set(FILES)
    for stage in emma["stages"]:
        assert len(stage["lines"]) == len(stage["within"])
        texts = []
        for function, line in zip(stage["within"], stage["lines"], strict=True):
            file = ROOT / "microgpt" / f"{FILES[function]}.py"
            text = linecache.getline(str(file), line).rstrip("\n")
            assert listed[function][line].strip() == text.strip()
            texts.append(text + linecache.getline(str(file), line + 1))
        for text, begins in zip(texts, makes.get(stage["name"], ()), strict=False):
            assert begins in text


def test_vectors_that_are_added_share_a_scale(emma: Walk) -> None:
    stages = emma["stages"]
    for stage in stages:
        if stage["made"] == "sum":
            assert len({stages[i]["limit"] for i in stage["inputs"]}) == 1
    stream = [stage for stage in stages if stage["stream"]]
    assert [stage["name"] for stage in stream] == ["x"] * 4
    assert len({stage["limit"] for stage in stream[1:]}) == 1


def test_what_is_said_has_the_numbers_of_the_name() -> None:
    shown = walk("emma", 3, "trained")
    said = {stage["name"]: stage["says"] for stage in shown["stages"]}
    assert "reads m, which is token 12" in said["token_embedding"]
    assert (
        "holds 3 tokens, so this one stands at position 3"
        in (said["position_embedding"])
    )
    assert "which now holds 4 keys" in said["key"]
    p = vectors("emma", 3, "trained")[-1]
    assert f"a has {p[0]:.3g}, and it is what comes next" in said["probabilities"]
    off = sum(h <= 0 for h in vectors("emma", 3, "trained")[14])
    assert f"ReLU: {off} of the 64" in said["activated"]
    weights = vectors("emma", 3, "trained")[9]
    head, at = divmod(weights.index(max(weights)), 4)
    assert f"head {head} gives {['BOS', 'e', 'm', 'm'][at]}" in said["weights"]
    first = walk("emma", 0, "trained")["stages"]
    assert "With one token in the cache, its weight is 1." in first[9]["says"]


def test_the_page_carries_less_than_forty_kilobytes(emma: Walk) -> None:
    assert len(json.dumps(emma, separators=(",", ":"))) < 40_000


def test_nonsense_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="type at most 15 letters: this has 16"):
        walk("abcdefghijklmnop", 0, "trained")
    with pytest.raises(ValueError, match="position: choose from 0 to 4"):
        walk("emma", 5, "trained")
    with pytest.raises(ValueError, match="does not know the character"):
        walk("em ma", 0, "trained")
    with pytest.raises(ValueError, match="one letter or more"):
        walk(" ", 0, "trained")
    with pytest.raises(ValueError, match="choose untrained or trained"):
        walk("emma", 0, "half")  # type: ignore[arg-type]
