"""What a token becomes on its way is what the model computes, in plain floats."""

from __future__ import annotations

from itertools import chain

import pytest

from tests.models import (
    TOKENS,
    Vector,
    assert_listed,
    document,
    dot,
    refusals,
    softmax,
    transformer,
)
from widgets._gpt import gpt
from widgets._network import State
from widgets.walk.model import Walk, walk

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


def vectors(name: str, position: int, state: State) -> list[Vector]:
    """Compute every vector in floats, in the order of the stages."""
    read = document(name)[: position + 1]
    token = transformer(gpt(state).weights, read, 4)[-1]
    flat = [[*chain(*rows)] for rows in (token.scores, token.weights)]
    return [
        *(token.token_embedding, token.position_embedding, token.added, token.x),
        *(token.normed, token.query, token.key, token.value, *flat, token.gathered),
        *(token.attended, token.after_attention, token.normed_again, token.hidden),
        *(token.activated, token.computed, token.end, token.logits),
        token.probabilities,
    ]


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
        assert stage["values"] == pytest.approx(numbers, rel=6e-4, abs=1e-9)
        assert stage["limit"] >= max(map(abs, stage["values"]))


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
                    weights = emma["weights"][stage["matrix"]][index]
                    found = emma["unit"] * dot(weights, inputs[0])
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


ATTENDS, THINKS = "x = self.attention", "x = self.mlp"
GATHERS = ("gathered += attend", ATTENDS)
SCALES = "return [xi * scale"
# For each stage the line that makes it, then those that wait for it
MAKES = [
    ("token_embedding =",),
    ("position_embedding =",),
    ("x = [",),
    (SCALES, "x = rmsnorm(x)"),
    (SCALES, "normed = rmsnorm(x)", ATTENDS),
    ("query = linear", ATTENDS),
    ("cache.keys.append", ATTENDS),
    ("cache.values.append", ATTENDS),
    ("weights = softmax", *GATHERS),
    ("return [exp * scale", "weights = softmax", *GATHERS),
    ("return [dot(weights", *GATHERS),
    ("output = linear(gathered", ATTENDS),
    ("return [o + xi", ATTENDS),
    (SCALES, "hidden = linear", THINKS),
    ("hidden = linear", THINKS),
    ("activated =", THINKS),
    ("output = linear(activated", THINKS),
    ("return [o + xi", THINKS),
    ('return linear(x, self.weights["lm_head"])',),
    ("return [exp * scale",),
]


def test_the_lit_lines_are_those_that_make_the_stage(emma: Walk) -> None:
    for source in emma["functions"]:
        lit = [
            line
            for stage in emma["stages"]
            for name, line in zip(stage["within"], stage["lines"], strict=True)
            if name == source["name"]
        ]
        assert_listed(f"microgpt/{FILES[source['name']]}.py", [source], lit)
    texts = {
        (source["name"], line["number"]): line["text"].strip()
        for source in emma["functions"]
        for line in source["lines"]
    }
    for stage, makes in zip(emma["stages"], MAKES, strict=True):
        places = zip(stage["within"], stage["lines"], strict=True)
        for place, begins in zip(places, makes, strict=True):
            assert texts[place].startswith(begins)
    # Attention and the MLP return alike: the last line of each is its own
    returned = [emma["stages"][at]["within"] for at in (12, 17)]
    assert returned == [["attention", "forward"], ["mlp", "forward"]]


def test_each_stage_is_drawn_where_it_belongs_and_from_what_it_is_made(
    emma: Walk,
) -> None:
    stages = emma["stages"]
    assert [stage["layer"] for stage in stages] == [0] * 20
    assert [stage["part"] for stage in stages] == [
        *(["in"] * 4 + ["attention"] * 9 + ["mlp"] * 5 + ["out"] * 2)
    ]
    kinds = {0: "parameter", 1: "parameter", 8: "attention", 9: "attention"}
    assert [stage["kind"] for stage in stages] == [
        kinds.get(place, "activation") for place in range(20)
    ]
    assert [stage["inputs"] for stage in stages] == [
        *([], [], [0, 1], [2], [3], [4], [4], [4], [5, 6], [8], [9, 7], [10]),
        *([11, 3], [12], [13], [14], [15], [16, 12], [17], [18]),
    ]


def test_the_tokens_are_those_of_the_name() -> None:
    shown = walk("emma", 1, "trained")
    assert shown["tokens"] == TOKENS
    assert shown["letters"] == [26, 4, 12, 12, 0]
    assert shown["read"] == [26, 4]


def test_vectors_that_are_added_share_a_scale(emma: Walk) -> None:
    stages = emma["stages"]
    for stage in stages:
        if stage["made"] == "sum":
            assert len({stages[i]["limit"] for i in stage["inputs"]}) == 1
    stream = [stage for stage in stages if stage["stream"]]
    assert [stage["name"] for stage in stream] == ["x"] * 4
    assert len({stage["limit"] for stage in stream[1:]}) == 1
    sizes = [max(map(abs, stage["values"])) for stage in stages]
    first, rest = {0, 1, 2}, {3, 11, 12, 16, 17}
    for place, stage in enumerate(stages):
        group = next((each for each in (first, rest) if place in each), {place})
        assert stage["limit"] == max(sizes[each] for each in group)


def written(x: float) -> str:
    return f"{x:.3g}".replace("-", "−")


def norm_of(x: Vector) -> str:
    square = dot(x, x) / len(x)
    size, scale = written(square**0.5), written((square + 1e-5) ** -0.5)
    if size == scale == "1":
        return "The root mean square of x is 1 already, so nothing changes."
    return f"The root mean square of x is {size}; times {scale}, it is 1."


def rows(vector: str, count: int, matrix: str) -> str:
    return f"a dot product of {vector} with each of the {count} rows of {matrix}."


def test_what_is_said_has_the_numbers_of_the_name(emma: Walk) -> None:
    v = vectors("emma", 3, "trained")
    off = sum(h <= 0 for h in v[14])
    head, at = divmod(v[9].index(max(v[9])), 4)
    most = f"head {head} gives {['BOS', 'e', 'm', 'm'][at]}, at position {at}"
    says = [stage["says"] for stage in emma["stages"]]
    for place, words in (
        (0, "The model reads m, which is token 12. Row 12 of wte is looked up."),
        (1, "The cache holds 3 tokens, so this one stands at position 3."),
        (1, "Row 3 of wpe is looked up."),
        (3, norm_of(v[2])),
        (4, norm_of(v[3])),
        (5, "What m looks for: " + rows("normed", 16, "attn_wq")),
        (6, "What m can be found by; it joins the cache, which now holds 4 keys:"),
        (6, rows("normed", 16, "attn_wk")),
        (7, "What m gives to tokens that find it;"),
        (7, rows("normed", 16, "attn_wv")),
        (8, "In each of the 4 heads, 4 numbers of the query meet the same 4 of every"),
        (8, "a dot product, times 0.5."),
        (9, f"The largest: {most}, {written(max(v[9]))}."),
        (10, "The 4 results stand side by side: 16 numbers."),
        (11, rows("gathered", 16, "attn_wo")),
        (12, "What attention has found is added to x"),
        (13, norm_of(v[12])),
        (14, "The hidden units: " + rows("rmsnorm(x)", 64, "mlp_fc1")),
        (15, f"ReLU: {off} of the 64 hidden units are below 0, and become 0."),
        (16, rows("activated", 16, "mlp_fc2")),
        (17, "What the MLP has made of it is added to x."),
        (18, rows("x", 27, "lm_head")),
        (19, f"a has {written(v[19][0])}, and it is what comes next here."),
    ):
        assert words in says[place]


def test_what_is_said_fits_one_token_and_one_that_was_not_expected() -> None:
    first = walk("emma", 0, "trained")["stages"]
    assert "With one token in the cache, its weight is 1." in first[9]["says"]
    assert "which now holds 1 key:" in first[6]["says"]
    assert "The cache holds 0 tokens," in first[1]["says"]
    assert "holds 1 token," in walk("emma", 1, "trained")["stages"][1]["says"]
    p = vectors("emma", 0, "trained")[19]
    best = p.index(max(p))
    assert best != 4
    assert first[19]["says"].endswith(
        f"The likeliest: {chr(97 + best)} has {written(p[best])};"
        f" e, which comes next here, {written(p[4])}."
    )


test_nonsense_is_refused_in_a_sentence = refusals(
    walk,
    {"name": "emma", "position": 0, "weights": "trained"},
    ({"name": "abcdefghijklmnop"}, "type at most 15 letters: this has 16"),
    ({"position": 5}, "position: choose from 0 to 4"),
    ({"name": "em ma"}, "does not know the character"),
    ({"weights": "half"}, "choose untrained or trained"),
)
