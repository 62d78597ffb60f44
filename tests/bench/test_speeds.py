"""The speeds in docs/data/speeds.json support what pages say, and can be measured."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main
from bench.engines import TEXTBOOK, compare_product_loops, load_available_engines
from bench.machine import format_json
from bench.roofline import measure_roofline
from bench.scaling import SIZES_BY_DIMENSION, Sizes, compare_at_sizes
from bench.timing import LOSS_TOLERANCE, summarize
from microgpt import load_names
from microgpt.engines import ENGINE_NAMES
from tests.marks import thorough
from tests.models import load_record

SPEEDS: dict[str, Any] = load_record("speeds")
LADDER, GROWTH = SPEEDS["ladder"], SPEEDS["growth"]


def test_speed_record_has_machine_and_agreeing_engines() -> None:
    machine = SPEEDS["machine"]
    assert all(machine[key] for key in ("date", "cpu", "python", "numpy", "torch"))
    assert list(LADDER["engines"]) == [TEXTBOOK, *ENGINE_NAMES]
    assert {len(x["each"]) for x in LADDER["engines"].values()} == {LADDER["steps"]}
    assert 0 < LADDER["gap"] <= LOSS_TOLERANCE


def test_timing_summary_is_median_and_quartiles_in_milliseconds() -> None:
    summary = summarize([0.007, 0.001, 0.003, 0.004, 0.009])
    assert summary == {"ms": 4, "low": 3, "high": 7}


def get_textbook_speedups(*engines: str) -> list[float]:
    """Return how many times as fast as the textbook's engine each engine is."""
    return [LADDER["engines"][engine]["times_faster"] for engine in engines]


def get_batch_ms_per_name(*engines: str) -> list[float]:
    """Return the milliseconds that each engine takes for a name of a batch."""
    return [LADDER["batches"][engine]["ms"] for engine in engines]


def compute_batch_speedups(*engines: str) -> list[float]:
    """Return how many times as fast each engine reads a name in a batch as alone."""
    batch_ms = zip(engines, get_batch_ms_per_name(*engines))
    return [LADDER["engines"][engine]["ms"] / ms for engine, ms in batch_ms]


def compute_time_over_smallest(engine: str, dimension: str, index: int = -1) -> float:
    """Return a step's time at a larger size, by default the largest, over the smallest's."""
    rows = [one["engines"] for one in GROWTH[dimension]]
    times = [row[engine]["ms"] for row in rows if engine in row]
    return float(times[index] / times[0])


def compute_batch_gain(engine: str) -> float:
    """Return tokens a second with the largest batch over those with one document."""
    tokens = [one["tokens"] for one in GROWTH["batch"] if engine in one["engines"]]
    return float(tokens[-1] / tokens[0] / compute_time_over_smallest(engine, "batch"))


def compute_python_version_spread(engine: str) -> float:
    """Return the slowest Python version's time over the fastest's."""
    times = [version[engine]["ms"] for version in SPEEDS["pythons"].values()]
    return float(max(times) / min(times))


def compute_ascending_numbers() -> dict[str, list[float]]:
    """Return numbers that ascend if a claim of pages is true, by the claim."""
    pure_python = (TEXTBOOK, "value", "dot", "lists")
    small, large = SPEEDS["kernels"].values()  # by width of the model
    speedups = get_textbook_speedups
    scalar = "one number at a time"
    calls = SPEEDS["roofline"]["calls"]
    return {
        "each engine is faster than the one before": speedups(*pure_python, "numpy"),
        "PyTorch does not win with one name": speedups("lists", "torch", "numpy"),
        "a batch helps PyTorch most": [
            1,
            *compute_batch_speedups("c", "numpy", "torch"),
        ],
        "C stays ahead": get_batch_ms_per_name("c, float32", "c", "numpy", "torch"),
        "NumPy pays less for width": [
            2 * compute_time_over_smallest("numpy", "width", 2),
            min(compute_time_over_smallest(one, "width", 2) for one in pure_python[2:]),
        ],
        "a batch helps libraries": [2, *map(compute_batch_gain, ("numpy", "torch"))],
        "a batch does not help pure Python": [compute_batch_gain("lists"), 2],
        "calls": [calls[k] for k in ("nothing", "python", "numpy add", "torch add")],
        "a small model gains more without Python than by a tile": [
            1,
            small["tile"] / small[scalar],
            small[scalar],
        ],
        "a large model needs the tile": [large[scalar], 1, large["tile"]],
        **{
            f"single steps take the most memory, {i}": [
                one["engines"][name] for name in ("lists", "dot", "value")
            ]
            for i, one in enumerate(SPEEDS["memory"])
        },
        "an algorithm gives more than a new Python": [
            max(map(compute_python_version_spread, pure_python)),
            *speedups("dot"),
        ],
    }


@pytest.mark.parametrize(("claim", "numbers"), compute_ascending_numbers().items())
def test_recorded_speeds_support_claims_of_pages(
    claim: str, numbers: list[float]
) -> None:
    assert numbers == sorted(set(numbers)), claim


@pytest.mark.parametrize("dimension", SIZES_BY_DIMENSION)
def test_training_step_is_slower_at_the_largest_size(dimension: str) -> None:
    # Only the ends are compared: a busy machine may reorder neighbours.
    assert min(compute_time_over_smallest(name, dimension) for name in ENGINE_NAMES) > 1


def test_recorded_speeds_stay_below_the_peak_flops() -> None:
    for one in chain(*GROWTH.values()):
        for time in one["engines"].values():
            assert 0 < time["low"] <= time["ms"] <= time["high"]
            assert one["flops"] / (time["ms"] / 1000) < SPEEDS["roofline"]["float64"]


def test_bench_updates_and_prints_the_chosen_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "speeds.json"
    out.write_text('{"adam": 1, "phases": {"forward": 0.5}}', encoding="utf-8")
    command = ["bench", "adam", "ladder", "--steps=2", f"--out={out}"]
    monkeypatch.setattr("sys.argv", command)
    engines = load_available_engines(["lists"])
    monkeypatch.setattr("bench.engines.load_available_engines", lambda: engines)
    main()
    record = json.loads(out.read_text(encoding="utf-8"))
    assert list(record) == ["adam", "phases", "ladder"]
    assert record["adam"] == SPEEDS["adam"]
    assert list(record["ladder"]["engines"]) == [TEXTBOOK, "lists"]
    _, adam, ladder = capsys.readouterr().out.split("\n", 2)
    assert adam == f"adam: {SPEEDS['adam']}"
    assert ladder == f"ladder: {format_json(record['ladder'])}\n"


@thorough
def test_growth_roofline_and_kernels_can_be_measured() -> None:
    sizes, names = [Sizes(), Sizes(width=32), Sizes(batch=2)], load_names()
    results = compare_at_sizes(names, load_available_engines(["lists"]), sizes, 1)
    measured = [Sizes(*(one[key] for key in SIZES_BY_DIMENSION)) for one in results]
    assert measured == sizes
    assert measure_roofline(1, 64, 1000).keys() == SPEEDS["roofline"].keys()
    if "c" in load_available_engines():
        kernels = compare_product_loops(names, 1).values()
        assert [*map(list, kernels)] == [*map(list, SPEEDS["kernels"].values())]
