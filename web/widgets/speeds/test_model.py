"""The bars are the record's, and what is measured here are the engines of the package."""

from typing import Any
from unittest.mock import patch

import pytest

from microgpt.engines.lists import Engine
from tests.models import recorded, refusals
from widgets.speeds.model import Speeds, SpeedsTime, quartiles, speeds


def measured(**given: Any) -> list[Speeds]:
    return list(speeds(**{"task": "measure", "steps": 3, **given}))


def names_of(times: list[SpeedsTime]) -> list[str]:
    return [time["engine"] for time in times]


def test_the_page_begins_with_the_ladder_of_the_record() -> None:
    record = recorded("speeds")
    (page,) = speeds(task="page")
    first, ladder = page["settings"][0], record["ladder"]["engines"]
    assert first["grown"] == "names"
    assert names_of(first["engines"]) == list(ladder)
    for time in first["engines"]:
        engine = ladder[time["engine"]]
        assert time["ms"] == pytest.approx(engine["ms"], rel=6e-3)
        assert time["times"] == pytest.approx(engine["times_faster"], rel=6e-3)
    assert record["machine"]["cpu"] in page["machine"]
    assert page["machine"].endswith(f"Python {record['machine']['python']}")


def test_the_page_has_every_setting_of_the_record() -> None:
    (page,) = speeds(task="page")
    growth = recorded("speeds")["growth"]
    settings = [(size, one) for size, all_ in growth.items() for one in all_]
    for setting, (size, one) in zip(page["settings"][1:], settings, strict=True):
        assert setting["grown"] == size
        for key in ("layers", "width", "context", "batch", "parameters"):
            assert dict(setting)[key] == one[key], key
        assert names_of(setting["engines"]) == list(one["engines"])
        first = next(iter(one["engines"].values()))["ms"]
        for time in setting["engines"]:
            taken = one["engines"][time["engine"]]
            for key in ("ms", "low", "high"):
                assert dict(time)[key] == pytest.approx(taken[key], rel=6e-3)
            assert time["times"] == pytest.approx(first / taken["ms"], rel=6e-3)


def test_engines_are_measured_in_turn_and_agree() -> None:
    *_, last = parts = measured()
    assert [part["step"] for part in parts] == [0, 1, 2, 3]
    assert last["steps"] == 3
    assert last["agree"]
    assert names_of(last["yours"]) == ["value", "dot", "lists"]
    for time in last["yours"]:
        assert 0 < time["low"] <= time["ms"] <= time["high"]
        assert time["times"] == pytest.approx(
            last["yours"][0]["ms"] / time["ms"], rel=0.02
        )


def test_each_step_but_the_first_counts_and_has_a_whole_batch() -> None:
    step, batches, counted = Engine.step, [], []

    def noted(self: Engine, documents: Any, rate: float) -> float:
        batches.append(documents)
        return step(self, documents, rate)

    def noted_times(times: list[float]) -> tuple[float, float, float]:
        counted.append(len(times))
        return quartiles(times)

    watched = patch("widgets.speeds.model.quartiles", noted_times)
    with patch.object(Engine, "step", noted), watched:
        measured(batch=3, width=4)
    assert [len(documents) for documents in batches] == [3, 3, 3, 3]
    assert len({tuple(tokens) for batch in batches for tokens in batch}) == 12
    assert sorted(set(counted)) == [1, 2, 3]
    assert max(counted[:3]) == 1


def test_an_engine_that_computes_something_else_is_found_out() -> None:
    """The promise of agreement can fail."""
    step = Engine.step

    def wrong(self: Engine, documents: Any, rate: float) -> float:
        return step(self, documents, rate) + 1e-6

    with patch.object(Engine, "step", wrong):
        assert not measured()[-1]["agree"]


def test_what_is_too_large_for_a_page_is_left_out() -> None:
    *_, last = measured(width=64, grown="width", steps=1)
    assert names_of(last["yours"]) == ["dot", "lists"]


test_too_few_steps_are_refused = refusals(
    speeds,
    {"task": "measure"},
    ({"steps": 0}, "choose"),
    ({"steps": 1.5}, "whole"),
)


def test_quartiles_of_few_times() -> None:
    assert quartiles([5.0]) == (5.0, 5.0, 5.0)
    assert quartiles([1.0, 2.0, 3.0]) == (2.0, 1.5, 2.5)
    assert quartiles([4.0, 1.0, 3.0, 2.0]) == (2.5, 1.5, 3.5)
