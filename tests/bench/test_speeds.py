"""What `docs/data/speeds.json` says follows from the times in it, and the page says it."""

import json
import re
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from bench import engines as benchmark
from bench import record
from bench.engines import TEXTBOOK
from bench.flops import step_bytes, step_flops
from bench.growth import SIZES, Setting, long_documents
from bench.timing import TOLERANCE, agree, summary
from microgpt import load_names
from microgpt.engines import ENGINES
from tests.models import ROOT, recorded
from tests.tables import label, tables
from tests.thorough import thorough
from weave.text import DATA
from widgets.speeds.model import documents_for

SPEEDS: dict[str, Any] = recorded("speeds")
RUNGS = [TEXTBOOK, *ENGINES]
PURE = [TEXTBOOK, "value", "dot", "lists"]


def times_of(name: str) -> list[float]:
    times: list[float] = SPEEDS["ladder"]["engines"][name]["each"]
    return times


def settings() -> list[tuple[str, Any]]:
    return [(size, one) for size, grown in SPEEDS["growth"].items() for one in grown]


def test_the_record_says_what_it_was_measured_on() -> None:
    machine = SPEEDS["machine"]
    assert all(machine[key] for key in ("date", "cpu", "python", "numpy", "torch"))


def test_all_engines_are_on_the_ladder_and_took_all_steps() -> None:
    ladder = SPEEDS["ladder"]
    assert list(ladder["engines"]) == RUNGS
    assert all(len(times_of(name)) == ladder["steps"] for name in RUNGS)


def test_the_engines_agreed() -> None:
    assert 0 < SPEEDS["ladder"]["gap"] <= TOLERANCE


@pytest.mark.parametrize(
    "kind, name",
    [
        (kind, name)
        for kind in ("engines", "batches")
        for name in SPEEDS["ladder"][kind]
    ],
)
def test_each_rung_follows_from_its_times(kind: str, name: str) -> None:
    rung = SPEEDS["ladder"][kind][name]
    times = rung["each"]
    expected = summary([ms / 1000 for ms in times])
    assert {key: rung[key] for key in expected} == pytest.approx(expected, rel=1e-4)
    ratios = [a / b for a, b in zip(times_of(TEXTBOOK), times, strict=True)]
    assert rung["times_faster"] == pytest.approx(median(ratios), rel=1e-3)


def test_each_engine_of_pure_python_is_faster_than_the_one_before() -> None:
    engines = SPEEDS["ladder"]["engines"]
    factors = [engines[name]["times_faster"] for name in (*PURE, "numpy")]
    assert factors == sorted(factors)
    assert len(set(factors)) == len(factors)


def test_pytorch_does_not_win_with_one_name() -> None:
    engines = SPEEDS["ladder"]["engines"]
    assert (
        engines["lists"]["times_faster"]
        < engines["torch"]["times_faster"]
        < engines["numpy"]["times_faster"]
    )


def test_a_batch_helps_numpy_most_and_c_stays_ahead() -> None:
    single, batch = SPEEDS["ladder"]["engines"], SPEEDS["ladder"]["batches"]
    gains = {n: single[n]["ms"] / batch[n]["ms"] for n in ("c", "numpy", "torch")}
    assert 1 < gains["c"] < gains["numpy"] < gains["torch"]
    assert batch["c"]["ms"] < batch["numpy"]["ms"] < batch["torch"]["ms"]
    assert batch["c, float32"]["ms"] < batch["c"]["ms"]


@pytest.mark.parametrize("size", SIZES)
def test_every_size_grows_alone_from_the_same_model(size: str) -> None:
    grown = SPEEDS["growth"][size]
    assert grown[0] == SPEEDS["growth"]["layers"][0]
    assert [one[size] for one in grown] == [
        getattr(Setting(), size),
        *SIZES[size],
    ]


def test_flops_and_bytes_follow_from_the_sizes() -> None:
    names = load_names()
    for _, one in settings():
        setting = Setting(one["layers"], one["width"], one["context"], one["batch"])
        characters = set("".join(long_documents(names, setting.context)))
        config = setting.config(len(characters) + 1)
        assert one["parameters"] == config.num_parameters
        assert one["flops"] == step_flops(config, one["context"], one["batch"])
        assert one["bytes"] == step_bytes(config, one["context"], one["batch"])
        assert one["tokens"] == one["context"] * one["batch"]


def test_the_ways_of_the_widget_and_of_the_benchmark_to_long_documents_are_one() -> (
    None
):
    ours = long_documents(documents_for("names", 16), 40)
    assert ours == documents_for("context", 40)
    assert min(map(len, ours)) >= 40


def test_quartiles_lie_in_order() -> None:
    for _, one in settings():
        for time in one["engines"].values():
            assert 0 < time["low"] <= time["ms"] <= time["high"]


def test_a_larger_model_takes_longer() -> None:
    """Between the ends of each sweep; a busy moment may change neighbours."""
    for grown in SPEEDS["growth"].values():
        for name in ENGINES:
            ms = [one["engines"][name]["ms"] for one in grown if name in one["engines"]]
            assert ms[-1] > ms[0], name


def test_numpy_pays_less_for_a_wider_model_than_pure_python() -> None:
    narrow, _, wide, *_ = SPEEDS["growth"]["width"]
    growth = {
        name: wide["engines"][name]["ms"] / narrow["engines"][name]["ms"]
        for name in ("dot", "lists", "numpy", "torch")
    }
    assert 2 * growth["numpy"] < min(growth["dot"], growth["lists"])


def test_a_batch_helps_the_libraries_and_not_pure_python() -> None:
    grown = SPEEDS["growth"]["batch"]

    def gain(name: str) -> float:
        measured = [one for one in grown if name in one["engines"]]
        first, last = measured[0], measured[-1]
        rates = [one["tokens"] / one["engines"][name]["ms"] for one in (first, last)]
        return float(rates[1] / rates[0])

    assert gain("torch") > gain("numpy") > 2
    assert gain("lists") < 2


def test_no_engine_is_above_the_roof() -> None:
    roof = SPEEDS["roofline"]["float64"]
    for _, one in settings():
        for time in one["engines"].values():
            assert one["flops"] / (time["ms"] / 1000) < roof


def test_a_call_of_pytorch_takes_longer_than_one_of_numpy() -> None:
    calls = SPEEDS["roofline"]["calls"]
    assert calls["nothing"] < calls["python"] < calls["numpy add"] < calls["torch add"]


def test_a_graph_in_single_steps_takes_the_most_memory() -> None:
    for one in SPEEDS["memory"]:
        taken = one["engines"]
        assert taken["value"] > taken["dot"] > taken["lists"]


def test_a_better_algorithm_gives_more_than_a_new_version_of_python() -> None:
    versions = SPEEDS["pythons"].values()
    engines = SPEEDS["ladder"]["engines"]
    for name in PURE:
        times = [version[name]["ms"] for version in versions]
        assert max(times) / min(times) < engines["dot"]["times_faster"]


def test_losses_that_differ_are_refused() -> None:
    assert agree([1.0, 1.0 + 1e-12]) < TOLERANCE
    with pytest.raises(ValueError, match="do not agree"):
        agree([1.0, 1.0 + 1e-8])


def test_the_ladder_is_printed_as_json_or_as_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--steps", "2", "--json", "--engines", "lists"]
    monkeypatch.setattr("sys.argv", ["bench.engines", *options])
    benchmark.main()
    ladder = json.loads(capsys.readouterr().out)
    assert list(ladder["engines"]) == [TEXTBOOK, "lists"]
    benchmark.show(ladder)
    losses, *rows = capsys.readouterr().out.splitlines()
    assert losses.startswith("2 steps, losses equal to")
    assert [row.split()[0] for row in rows] == [TEXTBOOK, "lists"]


@thorough
def test_a_quick_record_has_the_parts_that_it_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "speeds.json"
    monkeypatch.setattr("sys.argv", ["bench.record", "--quick", "--out", str(out)])
    monkeypatch.setattr(record, "available", lambda: benchmark.available(["lists"]))
    record.main()
    quick = json.loads(out.read_text(encoding="utf-8"))
    assert list(quick["ladder"]["engines"]) == [TEXTBOOK, "lists"]
    assert list(quick["growth"]) == list(SIZES)
    assert quick["machine"]["python"]


ROWS = {
    "freeing": "freed",
    "Adam": "adam",
    "NumPy, float64": "numpy",
    "PyTorch, float64": "torch float64",
    "PyTorch, float32": "torch float32",
    "PyTorch, bfloat16": "torch bfloat16",
    "PyTorch, float32, compiled": "torch float32 compiled",
}
COLUMNS = {
    "ms per step": "['ms']",
    "times as fast": "['times_faster']",
    "share of the time": "['phases']",
    "gain, at most": "at_most(recorded('speeds')['phases']",
    "GFLOP/s": "['flops']",
    "of a million it could do": "['roofline']['float64']",
    "this model": "['memory'][0]['engines']",
    "width 64, context 64": "['memory'][1]['engines']",
    "imports alone": "['imports']",
    "small": "['variants'][2]",
    "wider": "['variants'][-1]",
}
KEY = re.compile(
    r"\['((?:textbook|value|dot|lists|numpy|torch|forward|order|backward|freed|adam)"
    r"(?: float\d+| bfloat16)?(?: compiled)?)'\]"
)


def strangers(text: str) -> list[str]:
    """Return the cells whose expression is about another row or column than theirs."""
    found = []
    for head, *rows in tables(text):
        columns = [label(cell) for cell in head]
        for row in rows:
            name = label(row[0])
            name = ROWS.get(name, name.split(",")[0])
            for column, cell in zip(columns[1:], row[1:]):
                for expression, _ in DATA.findall(cell):
                    if "recorded(" not in expression or "waits for" in column:
                        continue
                    keys = {key for key in KEY.findall(expression)}
                    right = keys <= {name, column}
                    of_column = COLUMNS.get(column, f"['{column}']")
                    if not right or of_column not in expression:
                        found.append(f"{name}, {column}: {expression}")
    return found


@pytest.mark.parametrize("page", ["profile", "speeds", "roofline"])
def test_each_number_of_a_table_is_that_of_its_row_and_its_column(page: str) -> None:
    text = (ROOT / "docs/efficiency" / f"{page}.md").read_text(encoding="utf-8")
    assert strangers(text) == []


def test_a_number_of_another_row_or_column_is_found() -> None:
    text = (ROOT / "docs/efficiency/speeds.md").read_text(encoding="utf-8")
    for old, new in (
        ("['engines']['lists']['ms']\">", "['engines']['dot']['ms']\">"),
        ("['engines']['lists']['times_faster']", "['engines']['lists']['high']"),
        ("['imports']['numpy']", "['imports']['dot']"),
        ("['memory'][1]['engines']['dot']", "['memory'][0]['engines']['dot']"),
        ("['engines']['torch float32']", "['engines']['torch float64']"),
    ):
        assert old in text
        assert len(strangers(text.replace(old, new, 1))) == 1
    renamed = strangers(text.replace("| imports alone |", "| imports included |"))
    assert renamed and all("imports included" in found for found in renamed)


def test_each_version_of_python_stands_in_a_row_of_its_own() -> None:
    text = (ROOT / "docs/efficiency/speeds.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("    | Python")]
    for place, row in enumerate(rows):
        places = re.findall(r"recorded\('speeds'\)\['pythons'\][^[]*\[(\d)\]", row)
        assert places == [str(place)] * 5
    assert len(rows) == len(SPEEDS["pythons"])


def test_sentences_go_from_the_low_quartile_to_the_high_one() -> None:
    text = (ROOT / "docs/efficiency/speeds.md").read_text(encoding="utf-8")
    words = re.findall(r"(\w+)\s+<data value=\"[^\"]*\['(low|high)'\]\">", text)
    assert set(words) == {("from", "low"), ("to", "high")}
