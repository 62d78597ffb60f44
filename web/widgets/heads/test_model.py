"""What the picture shows of heads is what the model computes with its slices."""

from __future__ import annotations

import pytest

from microgpt import GPT, load_model
from tests.models import assert_listed, document, line_of, refusals, transformer
from widgets.heads.model import Heads, heads

CHOICES = [1, 2, 4, 8, 16]


@pytest.fixture(scope="module")
def shown() -> Heads:
    return heads("emma", 4)


@pytest.mark.parametrize("n_head", CHOICES)
def test_every_vector_is_the_model_s_however_it_is_cut(n_head: int) -> None:
    found = heads("emma", n_head)
    weights = load_model()[0].weights
    tokens = transformer(weights, document("emma")[:-1], n_head)
    assert (found["n_head"], found["head_dim"]) == (n_head, 16 // n_head)
    for i, (each, token) in enumerate(zip(found["positions"], tokens, strict=True)):
        for vector, expected in (
            (found["keys"][i], token.key),
            (found["values"][i], token.value),
            (each["x"], token.x),
            (each["query"], token.query),
            (each["gathered"], token.gathered),
            (each["output"], token.attended),
            (each["returned"], token.after_attention),
        ):
            assert vector == pytest.approx(expected, rel=0.006, abs=1e-12)
        for ours, share in zip(each["weights"], token.weights, strict=True):
            assert ours == pytest.approx(share, abs=6e-5)


def line(begins: str) -> int:
    return line_of(GPT.attention, begins)


@pytest.mark.parametrize("n_head", CHOICES)
def test_the_lines_run_in_the_order_of_the_method(n_head: int) -> None:
    found = heads("abc", n_head)
    loop = line("for start")
    for_each = ["head =", "keys =", "values =", "gathered +="]
    expected = [
        *map(line, ("normed =", "query =", "cache.keys.append", "cache.values.append")),
        line("gathered: "),
        *([loop, *map(line, for_each)] * n_head),
        loop,
        line("output ="),
        line("return"),
        0,
    ]
    assert [step["line"] for step in found["steps"]] == expected
    for each in found["positions"]:
        assert len(each["says"]) == len(expected)
    assert_listed(found["file"], found["functions"], expected)


def test_each_step_shows_what_is_there_and_what_its_line_takes(shown: Heads) -> None:
    made = {
        "query": line("query ="),
        "key": line("cache.keys.append"),
        "value": line("cache.values.append"),
        "output": line("output ="),
        "returned": line("return"),
    }
    takes = {
        line("normed ="): ["x"],
        line("keys ="): ["keys"],
        line("values ="): ["values"],
        line("gathered +="): ["query", "keys", "values"],
        line("output ="): ["gathered"],
        line("return"): ["x", "output"],
    }
    body = {line(text) for text in ("head =", "keys =", "values =", "gathered +=")}
    done: set[int] = set()
    gathered = 0
    for step in shown["steps"]:
        assert step["holds"] == ["x", *(n for n, at in made.items() if at in done)]
        assert step["takes"] == takes.get(step["line"], [])
        assert step["gathered"] == gathered
        assert step["head"] == (gathered // 4 if step["line"] in body else -1)
        gathered += 4 * (step["line"] == line("gathered +="))
        done.add(step["line"])
    assert gathered == 16


def test_sentences_tell_the_true_numbers(shown: Heads) -> None:
    tokens = shown["tokens"]
    assert tokens == ["BOS", *"emma"]
    for position, each in enumerate(shown["positions"]):
        says, token = each["says"], tokens[position]
        assert (
            f"attention reads {token} at position {position}. x is scaled to a root"
            " mean square of 1."
        ) in says
        attends = [one for one in says if one.startswith("attend gives")]
        for head, (one, weights) in enumerate(
            zip(attends, each["weights"], strict=True)
        ):
            most = float(one.partition("Most weight, ")[2].partition(", has")[0])
            assert most == pytest.approx(max(weights), abs=0.0051)
            place = int(one.rpartition("position ")[2].removesuffix("."))
            assert weights[place] == pytest.approx(max(weights), abs=1e-3)
            assert f" has {tokens[place]} at" in one
            assert one.startswith(f"attend gives head {head} an average of 4 numbers.")
            own = f"places {4 * head} to {4 * head + 3} of every vector."
            assert f"Head {head} has {own}" in says
        turns = [one for one in says if one.startswith("It is the turn")]
        assert turns == [f"It is the turn of head {head}." for head in range(4)]
        assert says[-1] == (
            "attention has returned x with what 4 heads have gathered for"
            f" {token} at position {position}."
        )
    first, last = (" ".join(shown["positions"][i]["says"]) for i in (0, -1))
    assert "gives a query of 16 numbers, for all" in last
    assert "gathered has 16 numbers." in last
    assert "The key of a, 16 numbers, joins 4 in the cache." in last
    assert "Head 2 takes its 4 numbers of all 5 values in the cache." in last
    assert "The value of BOS, 16 numbers, is the first in the cache." in first
    assert "Head 3 takes its 4 numbers of the only key in the cache." in first


def test_the_trained_model_stays_as_it_is(shown: Heads) -> None:
    other = heads("anna", 16)
    assert (other["trained"], other["n_head"]) == (4, 16)
    says = other["positions"][0]["says"][-1]
    assert says.startswith("attention has returned x with what 16 heads have")
    assert heads("emma", 4) == shown
    assert (shown["trained"], shown["choices"]) == (4, CHOICES)


test_what_cannot_be_shown_is_refused = refusals(
    heads,
    {"name": "emma", "n_head": 4},
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "annabella"}, "at most 8 letters: this has 9"),
    ({"n_head": 3}, "heads: choose one of 1, 2, 4, 8, 16"),
    ({"n_head": 32}, "heads: choose from 1 to 16"),
    ({"n_head": 2.5}, "heads: a whole number is needed"),
)
