"""The rows that widgets show of `wte` and `wpe` are those that `forward` adds."""

from __future__ import annotations

import pytest

from snippets import step3
from tests.models import Rows, Start, document, dot, recorded, refusals
from widgets.positions.model import PositionRows, positions


def tables(state: str) -> tuple[Rows, Rows]:
    if state == "trained":
        weights = recorded("step3-weights")
        return weights["wte"], weights["wpe"]
    drawn = Start(step3).weights
    wte, wpe = ([[w.data for w in row] for row in drawn[n]] for n in ("wte", "wpe"))
    return wte, wpe


def network(name: str, state: str) -> PositionRows:
    found = positions(name, "trained")["networks"]
    return next(one for one in found if one["weights"] == state)


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_each_sum_is_a_row_of_the_letter_and_one_of_its_position(state: str) -> None:
    wte, wpe = tables(state)
    shown = network("anna", state)
    tokens = document("anna")[:-1]
    assert len(tokens) == len(shown["sum"])
    for place, token in enumerate(tokens):
        total = [t + p for t, p in zip(wte[token], wpe[place], strict=True)]
        for rows, row in (
            ("token", wte[token]),
            ("position", wpe[place]),
            ("sum", total),
        ):
            found = shown[rows][place]  # type: ignore[literal-required]
            assert found == pytest.approx(row, rel=0.006, abs=1e-9)
    assert shown["token"][2] == shown["token"][3]
    assert shown["sum"][2] != shown["sum"][3]
    unit = [[w / dot(row, row) ** 0.5 for w in row] for row in wpe]
    for row, similar in zip(unit, shown["similar"], strict=True):
        assert similar == pytest.approx([dot(row, one) for one in unit], abs=0.0051)


def test_training_makes_neighbours_alike_as_the_page_says() -> None:
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


def test_rows_that_no_name_has_reached_were_not_moved() -> None:
    before, after = tables("untrained")[1], tables("trained")[1]
    moved = [
        max(abs(a - b) for a, b in zip(*rows, strict=True))
        for rows in zip(before, after, strict=True)
    ]
    assert max(moved[14:]) < 1e-5  # the digits that are recorded
    assert min(moved[:14]) > 1e-3


def test_the_first_picture_is_of_the_second_of_two_equal_letters() -> None:
    shown = positions("emma", "trained")
    assert shown["tokens"] == ["BOS", "e", "m", "m", "a"]
    assert shown["at"] == 3
    assert [one["weights"] for one in shown["networks"]] == ["untrained", "trained"]
    assert positions("jo", "trained")["at"] == 2
    assert len(positions("a" * 15, "trained")["tokens"]) == 16


test_what_has_no_position_is_refused = refusals(
    positions,
    {"name": "a", "weights": "trained"},
    ({"name": "a" * 16}, "at most 15 letters"),
    ({"weights": "half"}, "choose untrained or trained"),
)
