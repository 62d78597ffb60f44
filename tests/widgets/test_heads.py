"""What the picture shows of heads is what the model computes with its slices."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from microgpt import GPT, load_model, rmsnorm
from microgpt.nn import Matrix
from widgets._gpt import numbers
from widgets._names import tokenizer_of_the_names
from widgets.heads.model import Heads, heads

ROOT = Path(__file__).parents[2]
TOKENS = tokenizer_of_the_names().document("emma")[:-1]
CHOICES = [1, 2, 4, 8, 16]


@pytest.fixture(scope="module")
def shown() -> Heads:
    return heads("emma", 4)


def apply(matrix: Matrix, x: list[float]) -> list[float]:
    return [sum(w.data * xi for w, xi in zip(row, x, strict=True)) for row in matrix]


def streams() -> list[list[float]]:
    """What attention of the one layer is given for each token."""
    weights = load_model()[0].weights
    return [
        numbers(rmsnorm([a + b for a, b in zip(weights["wte"][t], weights["wpe"][i])]))
        for i, t in enumerate(TOKENS)
    ]


def normed(x: list[float]) -> list[float]:
    scale = math.sqrt(sum(xi * xi for xi in x) / len(x) + 1e-5)
    return [xi / scale for xi in x]


@pytest.mark.parametrize("n_head", CHOICES)
def test_every_vector_is_the_model_s_however_it_is_cut(n_head: int) -> None:
    """With plain floats, and the cut as an index: number c belongs to head c // width."""
    found = heads("emma", n_head)
    weights = load_model()[0].weights
    query, key, value, out = (weights[f"layer0.attn_w{name}"] for name in "qkvo")
    xs = streams()
    queries, keys, values = (
        [apply(matrix, normed(x)) for x in xs] for matrix in (query, key, value)
    )
    near = {"rel": 0.006, "abs": 1e-12}
    for i, vector in enumerate(keys):
        assert found["keys"][i] == pytest.approx(vector, **near)
        assert found["values"][i] == pytest.approx(values[i], **near)
    assert found["n_head"] == n_head
    assert found["head_dim"] == 16 // n_head
    for i, each in enumerate(found["positions"]):
        assert each["x"] == pytest.approx(xs[i], **near)
        assert each["query"] == pytest.approx(queries[i], **near)
        shares = []
        for head in range(n_head):
            own = [c for c in range(16) if c // (16 // n_head) == head]
            scores = [
                sum(queries[i][c] * keys[j][c] for c in own) / math.sqrt(len(own))
                for j in range(i + 1)
            ]
            exps = [math.exp(score) for score in scores]
            shares.append([e / sum(exps) for e in exps])
        for ours, expected in zip(each["weights"], shares, strict=True):
            assert ours == pytest.approx(expected, abs=6e-5)
        gathered = [
            sum(shares[c // (16 // n_head)][j] * values[j][c] for j in range(i + 1))
            for c in range(16)
        ]
        output = apply(out, gathered)
        assert each["gathered"] == pytest.approx(gathered, **near)
        assert each["output"] == pytest.approx(output, **near)
        returned = [o + xi for o, xi in zip(output, xs[i], strict=True)]
        assert each["returned"] == pytest.approx(returned, **near)


def line(text: str, function: Callable[..., object] = GPT.attention) -> int:
    """Return the number of the line of a function that begins with a text."""
    lines, first = inspect.getsourcelines(function)
    (found,) = (first + i for i, x in enumerate(lines) if x.strip().startswith(text))
    return found


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
    assert shown["tokens"] == ["BOS", *"emma"]
    for position, each in enumerate(shown["positions"]):
        token = shown["tokens"][position]
        assert (
            f"attention reads {token} at position {position}. x is scaled to a root"
            " mean square of 1."
        ) in each["says"]
        attends = [says for says in each["says"] if says.startswith("attend gives")]
        assert len(attends) == 4
        for head, (says, weights) in enumerate(
            zip(attends, each["weights"], strict=True)
        ):
            most = float(says.partition("Most weight, ")[2].partition(", has")[0])
            assert most == pytest.approx(max(weights), abs=0.0051)
            place = int(says.rpartition("position ")[2].removesuffix("."))
            assert weights[place] == pytest.approx(max(weights), abs=1e-3)
            assert f" has {shown['tokens'][place]} at" in says
            assert says.startswith(f"attend gives head {head} an average of 4 numbers.")
            first = 4 * head
            assert (
                f"Head {head} has places {first} to {first + 3} of every vector."
            ) in each["says"]
        turns = [says for says in each["says"] if says.startswith("It is the turn")]
        assert turns == [f"It is the turn of head {head}." for head in range(4)]
        assert each["says"][-1] == (
            "attention has returned x with what 4 heads have gathered for"
            f" {token} at position {position}."
        )
    last = shown["positions"][-1]["says"]
    assert any("gives a query of 16 numbers, for all" in says for says in last)
    assert any(says.startswith("gathered has 16 numbers.") for says in last)
    assert "The key of a, 16 numbers, joins 4 in the cache." in last
    assert "Head 2 takes its 4 numbers of all 5 values in the cache." in last
    first_says = shown["positions"][0]["says"]
    assert "The value of BOS, 16 numbers, is the first in the cache." in first_says
    assert "Head 3 takes its 4 numbers of the only key in the cache." in first_says


def test_the_trained_model_stays_as_it_is(shown: Heads) -> None:
    other = heads("anna", 16)
    assert (other["trained"], other["n_head"]) == (4, 16)
    says = other["positions"][0]["says"]
    assert says[-1].startswith("attention has returned x with what 16 heads have")
    assert any("gives a query of 16 numbers" in each for each in says)
    assert heads("emma", 4) == shown
    assert shown["trained"] == 4
    assert shown["choices"] == CHOICES


def test_the_lines_are_those_of_the_file(shown: Heads) -> None:
    file = (ROOT / shown["file"]).read_text().splitlines()
    lines = [each for function in shown["functions"] for each in function["lines"]]
    for each in lines:
        assert file[each["number"] - 1].removeprefix("    ") == each["text"]


@pytest.mark.parametrize(
    ("name", "n_head", "reason"),
    [
        ("", 4, "type a name"),
        ("zoë", 4, "does not know the character 'ë'"),
        ("Emma", 4, "type 'emma', in small letters"),
        ("annabella", 4, "at most 8 letters: this has 9"),
        ("emma", 3, "heads: choose one of 1, 2, 4, 8, 16"),
        ("emma", 0, "heads: choose from 1 to 16"),
        ("emma", 32, "heads: choose from 1 to 16"),
        ("emma", 2.5, "heads: a whole number is needed"),
    ],
)
def test_what_cannot_be_shown_is_refused(name: str, n_head: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        heads(name, n_head)
