"""How long a step takes in each engine: as recorded, and in the reader's own browser."""

import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypedDict

from microgpt import Config, Tokenizer, load_names
from microgpt.engines import load_engine
from microgpt.engines.collector import collector_paused
from microgpt.engines.protocol import Engine
from widgets._inputs import whole
from widgets._numbers import significant

RECORD = Path(__file__).parents[3] / "docs" / "data" / "speeds.json"
NAMES = "names"  # the setting of the table: names as they come
# The largest step that an engine may be asked for here, in FLOPs
MOST = {"value": 2e6, "dot": 8e6, "lists": 3e7}
MOST_STEPS = 50
AGREE = 1e-9
RATE = 0.01


class SpeedsTime(TypedDict):
    """Milliseconds per step, with quartiles; `times` as fast as the first one there."""

    engine: str
    ms: float
    low: float
    high: float
    times: float


class SpeedsSetting(TypedDict):
    """What grew, and how large all sizes are; what each engine takes.

    `here` names the engines that a browser can run at these sizes.
    """

    grown: str
    layers: int
    width: int
    context: int
    batch: int
    parameters: int
    engines: list[SpeedsTime]
    here: list[str]


class Speeds(TypedDict):
    """The record, if it was asked for; what was measured here, after `step` steps."""

    machine: str
    settings: list[SpeedsSetting]
    step: int
    steps: int
    yours: list[SpeedsTime]
    agree: bool


def speeds(
    task: Literal["page", "measure"],
    layers: int = 1,
    width: int = 16,
    context: int = 16,
    batch: int = 1,
    grown: str = NAMES,
    steps: float = 10,
) -> Iterator[Speeds]:
    """Give the record ("page"), or measure what Python alone can run ("measure").

    The sizes are those of a setting of the record. The engines take the same steps, in
    turn, and one step at first that does not count.
    """
    if task == "page":
        yield recorded()
        return
    count = whole(steps, "steps", 1, MOST_STEPS)
    documents = documents_for(grown, context)
    tokenizer = Tokenizer(documents)
    config = Config(
        tokenizer.vocab_size, n_layer=layers, n_embd=width, block_size=context
    )
    tokens = [
        tokenizer.document(documents[i % len(documents)])
        for i in range((count + 1) * batch)
    ]
    size = flops(config.num_parameters, context, batch)
    engines = {
        name: load_engine(name)(config, random.Random(42)) for name in runnable(size)
    }
    yield from measured(engines, tokens, batch, count)


def measured(
    engines: dict[str, Engine], tokens: list[list[int]], batch: int, count: int
) -> Iterator[Speeds]:
    """Let engines take steps in turn; yield what is known after each."""
    times: dict[str, list[float]] = {name: [] for name in engines}
    agree = True
    for step in range(count + 1):
        losses = []
        documents = tokens[step * batch : (step + 1) * batch]
        for name, engine in engines.items():
            began = time.perf_counter()
            with collector_paused():
                losses.append(engine.step(documents, RATE))
            if step > 0:
                times[name].append(1000 * (time.perf_counter() - began))
        agree = agree and max(losses) - min(losses) <= AGREE
        found = {name: quartiles(each) for name, each in times.items() if each}
        yield Speeds(
            machine="",
            settings=[],
            step=step,
            steps=count,
            yours=compared(found),
            agree=agree,
        )


def documents_for(grown: str, context: int) -> list[str]:
    """Return names as they come, or joined until each document fills the context."""
    names = load_names()
    random.Random(42).shuffle(names)
    if grown == NAMES:
        return names
    documents, text = [], ""
    for name in names:
        text += name
        if len(text) >= context:
            documents.append(text)
            text = ""
    return documents


def flops(parameters: int, context: int, batch: int) -> int:
    """Return about how many FLOPs a step takes: 6 for each parameter and token."""
    return 6 * parameters * context * batch


def runnable(size: int) -> list[str]:
    """Return the engines that a browser can run at a size."""
    return [name for name, most in MOST.items() if size <= most]


def quartiles(times: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, and the medians of the times below it and above it."""
    ordered, half = sorted(times), (len(times) + 1) // 2
    return median(ordered), median(ordered[:half]), median(ordered[-half:])


def compared(found: dict[str, tuple[float, float, float]]) -> list[SpeedsTime]:
    """Return times as pages show them, each beside the first."""
    first = next(iter(found.values()), (1.0,))[0]
    return [
        SpeedsTime(
            engine=name,
            ms=significant(ms),
            low=significant(low),
            high=significant(high),
            times=significant(first / ms),
        )
        for name, (ms, low, high) in found.items()
    ]


def recorded() -> Speeds:
    """Return what `python -m bench` has measured."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    machine, growth = record["machine"], record["growth"]
    base = growth["layers"][0]
    real = {"parameters": Config().num_parameters}  # of names, with all letters
    settings = [setting_of({**base, **real}, NAMES, record["ladder"]["engines"])]
    for size, grown in growth.items():
        settings += [setting_of(one, size, one["engines"]) for one in grown]
    return Speeds(
        machine=f"one core ({machine['cpu']}), Python {machine['python']}",
        settings=settings,
        step=0,
        steps=0,
        yours=[],
        agree=True,
    )


def setting_of(
    one: dict[str, Any], grown: str, engines: dict[str, dict[str, float]]
) -> SpeedsSetting:
    """Return a setting of the record."""
    times = {name: (e["ms"], e["low"], e["high"]) for name, e in engines.items()}
    ratios = {
        name: e["times_faster"] for name, e in engines.items() if "times_faster" in e
    }
    size = flops(one["parameters"], one["context"], one["batch"])
    return SpeedsSetting(
        grown=grown,
        layers=one["layers"],
        width=one["width"],
        context=one["context"],
        batch=one["batch"],
        parameters=one["parameters"],
        engines=[
            SpeedsTime(**{**time, "times": significant(ratios[time["engine"]])})
            if ratios
            else time
            for time in compared(times)
        ],
        here=runnable(size),
    )
