"""The speeds in docs/data/speeds.json support what pages say, and can be measured."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench import __main__ as program
from bench.engines import TEXTBOOK, compare_product_loops, load_available_engines
from bench.machine import format_json
from bench.roofline import measure_roofline
from bench.scaling import SIZES, Setting, compare_settings
from bench.timing import LOSS_TOLERANCE, summarize
from microgpt import load_names
from microgpt.engines import ENGINE_NAMES
from tests.marks import thorough
from tests.models import load_record

SPEEDS: dict[str, Any] = load_record("speeds")
LADDER, GROWTH = SPEEDS["ladder"], SPEEDS["growth"]
SMALL_MODEL_KERNELS, LARGE_MODEL_KERNELS = SPEEDS["kernels"].values()
MEASURED_SETTINGS = [one for grown in GROWTH.values() for one in grown]
PURE_PYTHON_ENGINES = [TEXTBOOK, "value", "dot", "lists"]


def test_speed_record_has_machine_and_all_engines_with_equal_losses() -> None:
    machine = SPEEDS["machine"]
    assert all(machine[key] for key in ("date", "cpu", "python", "numpy", "torch"))
    assert list(LADDER["engines"]) == [TEXTBOOK, *ENGINE_NAMES]
    assert {len(x["each"]) for x in LADDER["engines"].values()} == {LADDER["steps"]}
    assert 0 < LADDER["gap"] <= LOSS_TOLERANCE


def test_timing_summary_is_median_and_quartiles_in_milliseconds() -> None:
    summary = summarize([0.007, 0.001, 0.003, 0.004, 0.009])
    assert summary == {"ms": 4, "low": 3, "high": 7}


def get_ladder_values(kind: str, key: str, *names: str) -> list[float]:
    return [LADDER[kind][name][key] for name in names]


def compute_batch_speedups(*names: str) -> list[float]:
    """Return how many times faster each engine reads a name in batches."""
    alone, batched = (
        get_ladder_values(x, "ms", *names) for x in ("engines", "batches")
    )
    return [x / y for x, y in zip(alone, batched)]


def compute_time_growth(engine: str, dimension: str, index: int = -1) -> float:
    """Return a step's time at a larger size, by default the largest, over the smallest's."""
    rows = [one["engines"] for one in GROWTH[dimension]]
    times = [row[engine]["ms"] for row in rows if engine in row]
    return float(times[index] / times[0])


def compute_gain_of_largest_batch(engine: str) -> float:
    """Return how many times more tokens a second the largest batch gives."""
    tokens = [one["tokens"] for one in GROWTH["batch"] if engine in one["engines"]]
    return float(tokens[-1] / tokens[0] / compute_time_growth(engine, "batch"))


def compute_python_version_spread(name: str) -> float:
    """Return the slowest Python version's time as a multiple of the fastest's."""
    times = [version[name]["ms"] for version in SPEEDS["pythons"].values()]
    return float(max(times) / min(times))


select_times_faster = partial(get_ladder_values, "engines", "times_faster")
SCALAR_KERNEL = "one number at a time"
CALL_KINDS = ("nothing", "python", "numpy add", "torch add")
# What pages say: each number is larger than the one before.
EXPECTED_ORDERS = {
    "each engine of pure Python beats the one before": select_times_faster(
        *PURE_PYTHON_ENGINES, "numpy"
    ),
    "PyTorch does not win with one name": select_times_faster(
        "lists", "torch", "numpy"
    ),
    "a batch helps PyTorch most": [1, *compute_batch_speedups("c", "numpy", "torch")],
    "C stays ahead": get_ladder_values(
        "batches", "ms", "c, float32", "c", "numpy", "torch"
    ),
    "NumPy pays less for width": [
        2 * compute_time_growth("numpy", "width", 2),
        min(compute_time_growth(name, "width", 2) for name in ("dot", "lists")),
    ],
    "a batch helps libraries": [
        2,
        compute_gain_of_largest_batch("numpy"),
        compute_gain_of_largest_batch("torch"),
    ],
    "a batch does not help pure Python": [compute_gain_of_largest_batch("lists"), 2],
    "calls": [SPEEDS["roofline"]["calls"][kind] for kind in CALL_KINDS],
    "a small model gains more without Python than by a tile": [
        1,
        SMALL_MODEL_KERNELS["tile"] / SMALL_MODEL_KERNELS[SCALAR_KERNEL],
        SMALL_MODEL_KERNELS[SCALAR_KERNEL],
    ],
    "a large model needs the tile to beat NumPy": [
        LARGE_MODEL_KERNELS[SCALAR_KERNEL],
        1,
        LARGE_MODEL_KERNELS["tile"],
    ],
    **{
        f"single steps take the most memory, {i}": [
            one["engines"][name] for name in ("lists", "dot", "value")
        ]
        for i, one in enumerate(SPEEDS["memory"])
    },
    "an algorithm gives more than a new Python": [
        max(map(compute_python_version_spread, PURE_PYTHON_ENGINES)),
        *select_times_faster("dot"),
    ],
}


@pytest.mark.parametrize(
    "ascending", EXPECTED_ORDERS.values(), ids=list(EXPECTED_ORDERS)
)
def test_recorded_speeds_are_ordered_as_pages_state(ascending: list[float]) -> None:
    assert ascending == sorted(set(ascending))


@pytest.mark.parametrize("dimension", SIZES)
def test_training_step_is_slower_at_the_largest_size(dimension: str) -> None:
    # Between the ends; a busy moment may change neighbours.
    assert min(compute_time_growth(name, dimension) for name in ENGINE_NAMES) > 1


def test_recorded_speeds_stay_below_the_peak_flops_of_the_machine() -> None:
    for one in MEASURED_SETTINGS:
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
    engines = load_available_engines(["lists"])
    monkeypatch.setattr(program, "load_available_engines", lambda: engines)
    program.main()
    found = json.loads(out.read_text(encoding="utf-8"))
    assert list(found) == ["adam", "phases", "ladder"]
    assert found["adam"] == SPEEDS["adam"]
    assert list(found["ladder"]["engines"]) == [TEXTBOOK, "lists"]
    _, adam, ladder = capsys.readouterr().out.split("\n", 2)
    assert adam == f"adam: {SPEEDS['adam']}"
    assert ladder == f"ladder: {format_json(found['ladder'])}\n"


@thorough
def test_growth_roofline_and_kernels_can_be_measured() -> None:
    some, names = [Setting(), Setting(width=32), Setting(batch=2)], load_names()
    found = compare_settings(names, load_available_engines(["lists"]), some, 1)
    sizes = [Setting(*(one[key] for key in SIZES)) for one in found]
    assert sizes == some
    assert measure_roofline(1, 64, 1000).keys() == SPEEDS["roofline"].keys()
    if "c" in load_available_engines():
        kernels = compare_product_loops(names, 1).values()
        assert [*map(list, kernels)] == [*map(list, SPEEDS["kernels"].values())]
