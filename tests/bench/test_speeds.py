"""What pages say of `docs/data/speeds.json` stands there."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench import __main__ as program
from bench.engines import TEXTBOOK, available, kernels
from bench.growth import SIZES, Setting, growth
from bench.machine import layout
from bench.roofline import roofline
from bench.timing import TOLERANCE, summary
from microgpt import load_names
from microgpt.engines import ENGINES
from tests.marks import thorough
from tests.models import load_record

SPEEDS: dict[str, Any] = load_record("speeds")
LADDER, GROWTH = SPEEDS["ladder"], SPEEDS["growth"]
SMALL, LARGE = SPEEDS["kernels"].values()
SETTINGS = [one for grown in GROWTH.values() for one in grown]
PURE = [TEXTBOOK, "value", "dot", "lists"]


def test_speed_record_has_machine_and_all_engines_with_equal_losses() -> None:
    machine = SPEEDS["machine"]
    assert all(machine[key] for key in ("date", "cpu", "python", "numpy", "torch"))
    assert list(LADDER["engines"]) == [TEXTBOOK, *ENGINES]
    assert {len(rung["each"]) for rung in LADDER["engines"].values()} == {
        LADDER["steps"]
    }
    assert 0 < LADDER["gap"] <= TOLERANCE


def test_timing_summary_is_median_and_quartiles_in_milliseconds() -> None:
    assert summary([0.007, 0.001, 0.003, 0.004, 0.009]) == {
        "ms": 4,
        "low": 3,
        "high": 7,
    }


def measured(kind: str, key: str, *names: str) -> list[float]:
    return [LADDER[kind][name][key] for name in names]


def gains(*names: str) -> list[float]:
    """How much faster a name is read in batches."""
    pairs = zip(*(measured(kind, "ms", *names) for kind in ("engines", "batches")))
    return [alone / together for alone, together in pairs]


def longer(name: str, size: str, place: int = -1) -> float:
    """How many times as long a step takes at a larger size; by default, at the largest."""
    times = [
        one["engines"][name]["ms"] for one in GROWTH[size] if name in one["engines"]
    ]
    return float(times[place] / times[0])


def larger(name: str) -> float:
    """How many times as many tokens a second the largest batch gives."""
    tokens = [one["tokens"] for one in GROWTH["batch"] if name in one["engines"]]
    return float(tokens[-1] / tokens[0] / longer(name, "batch"))


def versions(name: str) -> float:
    """How much the version of Python changes."""
    times = [version[name]["ms"] for version in SPEEDS["pythons"].values()]
    return float(max(times) / min(times))


times_faster = partial(measured, "engines", "times_faster")
PLAIN = "one number at a time"
CALLS = ("nothing", "python", "numpy add", "torch add")
# What pages say: each number is larger than the one before.
RISING = {
    "each engine of pure Python beats the one before": times_faster(*PURE, "numpy"),
    "PyTorch does not win with one name": times_faster("lists", "torch", "numpy"),
    "a batch helps PyTorch most": [1, *gains("c", "numpy", "torch")],
    "C stays ahead": measured("batches", "ms", "c, float32", "c", "numpy", "torch"),
    "NumPy pays less for width": [
        2 * longer("numpy", "width", 2),
        min(longer(name, "width", 2) for name in ("dot", "lists")),
    ],
    "a batch helps libraries": [2, larger("numpy"), larger("torch")],
    "a batch does not help pure Python": [larger("lists"), 2],
    "calls": [SPEEDS["roofline"]["calls"][kind] for kind in CALLS],
    "a small model gains more without Python than by a tile": [
        1,
        SMALL["tile"] / SMALL[PLAIN],
        SMALL[PLAIN],
    ],
    "a large model needs the tile to beat NumPy": [LARGE[PLAIN], 1, LARGE["tile"]],
    **{
        f"single steps take the most memory, {i}": [
            one["engines"][name] for name in ("lists", "dot", "value")
        ]
        for i, one in enumerate(SPEEDS["memory"])
    },
    "an algorithm gives more than a new Python": [
        max(map(versions, PURE)),
        *times_faster("dot"),
    ],
}


@pytest.mark.parametrize("numbers", RISING.values(), ids=list(RISING))
def test_speed_comparisons_on_pages_hold_in_the_record(numbers: list[float]) -> None:
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("size", SIZES)
def test_training_step_is_slower_at_the_largest_size(size: str) -> None:
    # Between the ends; a busy moment may change neighbours.
    assert min(longer(name, size) for name in ENGINES) > 1


def test_recorded_speeds_stay_below_the_peak_flops_of_the_machine() -> None:
    for one in SETTINGS:
        for time in one["engines"].values():
            assert 0 < time["low"] <= time["ms"] <= time["high"]
            assert one["flops"] / (time["ms"] / 1000) < SPEEDS["roofline"]["float64"]


def test_bench_measures_and_prints_chosen_parts_and_keeps_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "speeds.json"
    out.write_text('{"adam": 1, "phases": {"forward": 0.5}}', encoding="utf-8")
    options = ["adam", "ladder", "--steps=2", f"--out={out}"]
    monkeypatch.setattr("sys.argv", ["bench", *options])
    monkeypatch.setattr(program, "available", lambda: available(["lists"]))
    program.main()
    found = json.loads(out.read_text(encoding="utf-8"))
    assert list(found) == ["adam", "phases", "ladder"]
    assert found["adam"] == SPEEDS["adam"]
    assert list(found["ladder"]["engines"]) == [TEXTBOOK, "lists"]
    _, adam, ladder = capsys.readouterr().out.split("\n", 2)
    assert adam == f"adam: {SPEEDS['adam']}"
    assert ladder == f"ladder: {layout(found['ladder'])}\n"


@thorough
def test_growth_roofline_and_kernels_can_be_measured() -> None:
    some, names = [Setting(), Setting(width=32), Setting(batch=2)], load_names()
    found = growth(names, available(["lists"]), some, 1)
    sizes = [Setting(*(one[key] for key in SIZES)) for one in found]
    assert sizes == some
    assert roofline(1, 64, 1000).keys() == SPEEDS["roofline"].keys()
    again = kernels(names, 1) if "c" in available() else SPEEDS["kernels"]
    assert [*map(list, again.values())] == [list(SMALL), list(LARGE)]
