"""The rows that widgets show of `wte` and `wpe` are those that `forward` adds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microgpt import Tokenizer, load_names
from snippets import step3
from tests.snippets.conftest import Start
from widgets.positions.model import PositionRows, positions

Table = list[list[float]]
DATA = Path(__file__).parents[2] / "docs" / "data" / "step3-weights.json"


def tables(state: str) -> tuple[Table, Table]:
    if state == "trained":
        recorded = json.loads(DATA.read_text("utf-8"))
        return recorded["wte"], recorded["wpe"]
    drawn = Start(step3).weights
    wte, wpe = ([[w.data for w in row] for row in drawn[n]] for n in ("wte", "wpe"))
    return wte, wpe


def network(name: str, state: str) -> PositionRows:
    found = positions(name, "trained")["networks"]
    return next(one for one in found if one["weights"] == state)


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_each_sum_is_a_row_of_the_letter_and_one_of_its_position(state):
    wte, wpe = tables(state)
    shown = network("anna", state)
    tokens = Tokenizer(load_names()).document("anna")[:-1]
    assert len(tokens) == len(shown["sum"]) == 5
    for place, token in enumerate(tokens):
        total = [t + p for t, p in zip(wte[token], wpe[place], strict=True)]
        close = {"rel": 0.006, "abs": 1e-9}
        assert shown["token"][place] == pytest.approx(wte[token], **close)
        assert shown["position"][place] == pytest.approx(wpe[place], **close)
        assert shown["sum"][place] == pytest.approx(total, **close)
    assert shown["token"][2] == shown["token"][3]
    assert shown["sum"][2] != shown["sum"][3]


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_similarity_is_the_dot_product_of_rows_made_equally_long(state):
    _, wpe = tables(state)
    unit = [[w / sum(v * v for v in row) ** 0.5 for w in row] for row in wpe]
    expected = [
        [sum(a * b for a, b in zip(row, other, strict=True)) for other in unit]
        for row in unit
    ]
    for row, shown in zip(expected, network("a", state)["similar"], strict=True):
        assert shown == pytest.approx(row, abs=0.0051)


def test_training_makes_neighbours_alike_as_the_page_says():
    similar = network("a", "trained")["similar"]

    def least(first: int, last: int) -> float:
        block = range(first, last + 1)
        return min(similar[i][j] for i in block for j in block)

    assert least(4, 9) > 0.5
    assert least(0, 3) > 0.35
    across = [similar[i][j] for i in range(4) for j in range(4, 10)]
    assert max(across) < least(4, 9)
    before = network("a", "untrained")["similar"]
    assert min(before[i][i + 1] for i in range(4, 9)) < 0.1


def test_rows_that_no_name_has_reached_were_not_moved():
    before, after = tables("untrained")[1], tables("trained")[1]
    moved = [
        max(abs(a - b) for a, b in zip(*rows, strict=True))
        for rows in zip(before, after, strict=True)
    ]
    assert max(moved[14:]) < 1e-5  # the digits that are recorded
    assert min(moved[:14]) > 1e-3


def test_the_first_picture_is_of_the_second_of_two_equal_letters():
    shown = positions("emma", "trained")
    assert shown["tokens"] == ["BOS", "e", "m", "m", "a"]
    assert shown["at"] == 3
    assert [one["weights"] for one in shown["networks"]] == ["untrained", "trained"]
    assert positions("jo", "trained")["at"] == 2


def test_what_has_no_position_is_refused():
    assert len(positions("a" * 15, "trained")["tokens"]) == 16
    with pytest.raises(ValueError, match="at most 15 letters"):
        positions("a" * 16, "trained")
    with pytest.raises(ValueError, match="choose untrained or trained"):
        positions("a", "half")  # type: ignore[arg-type]
