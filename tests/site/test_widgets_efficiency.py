"""What readers see in the widgets of efficiency is what Python computes and has recorded."""

import math
import re
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from tests.site import see
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.bpe.model import bpe
from widgets.machines.model import CARD, MACHINES, MODELS, machines
from widgets.speeds.model import speeds

# All widgets together are looked at every day.
pytestmark = thorough


SIZES = {"B": 1, "kB": 1e3, "MB": 1e6, "ms": 1, "s": 1000}


def size(text: str) -> float:
    """Read a size or a time with its unit."""
    digits, unit = text.split()
    return float(digits) * SIZES[unit]


def test_machines(open_figure: Open) -> None:
    figure = open_figure("machines")
    result: Any = machines("GPT-2", 2**19, 8, 100)

    def seen(which: int, tokens: int, place: int, link: int, cut: bool) -> Seen:
        model = result["models"][which]
        way = model["cut" if cut else "copied"]
        bars = [model["compute"][tokens][place], way["send"][link][place]]
        bars += [way["memory"][place], CARD]
        full = [max(bars[:2])] * 2 + [max(bars[2:])] * 2
        cards = "1 card" if place == 0 else f"{MACHINES[place]} cards"
        room = "has room" if bars[2] <= CARD else "is too small"
        title = f"{model['name']}, {model['parameters']:,} parameters"
        how = f"{'cut' if cut else 'copied'} to {cards}"
        widths = [100 * bar / most for bar, most in zip(bars, full)]
        return {
            ".bars .value": [
                see.reading(read_unit, (bar, unit))
                for bar, unit in zip(bars, ("s", "s", "GB", "GB"))
            ],
            ".title": re.compile(f"(?=.*{re.escape(title)})(?=.*{how})"),
            ".says": see.containing(f"The card {room}"),
            **see.widths(".bars .fill", widths),
        }

    def read_unit(text: str) -> tuple[float, str]:
        value, unit = text.replace(",", "").split()[:2]
        return float(value), unit

    says, last = figure.find(".says"), len(MODELS) - 1
    figure.shows(seen(0, 0, 3, 2, cut=False))
    expect(says).to_contain_text("Computing takes longer")
    figure.slide("network", "Home")
    figure.shows(seen(0, 0, 3, 0, cut=False))
    expect(says).to_contain_text("Sending takes longer")
    figure.press("GPT-3")
    figure.slide("tokens", "End")
    figure.slide("machines", "ArrowRight")
    figure.shows(seen(last, 3, 4, 0, cut=False))
    figure.root.get_by_role("checkbox").check()
    figure.slide("machines", "End")
    figure.shows(seen(last, 3, len(MACHINES) - 1, 0, cut=True))
    figure.slide("machines", "Home")
    figure.shows(seen(last, 3, 0, 0, cut=True))
    expect(says).to_contain_text("nobody to send to")


def settings(grown: str) -> list[Any]:
    (page,) = speeds(task="page")
    return [one for one in page["settings"] if one["grown"] == grown]


def cells(figure: Figure) -> dict[str, list[str]]:
    """What is written of each engine, without the bars."""
    rows: dict[str, list[str]] = {}
    for row in figure.find("tbody tr").all():
        name = row.locator("th").inner_text()
        rows[name] = row.locator("td:not(.track)").all_text_contents()
    return rows


def assert_recorded(figure: Figure, setting: Any) -> None:
    shown = cells(figure)
    for time in setting["engines"]:
        ms, times, *_ = shown.pop(time["engine"])
        assert size(ms) == approx(time["ms"], rel=6e-3)
        assert float(times.removesuffix(" ×").replace(",", "")) == approx(
            time["times"], rel=0.06
        )
    assert all(missing[0] == "–" for missing in shown.values())


def test_speeds(open_figure: Open) -> None:
    figure = open_figure("speeds")
    (ladder,) = settings("names")
    assert_recorded(figure, ladder)
    # Bars are in order, and ten times is one line.
    widths = figure.find(".length.recorded").evaluate_all(
        "all => all.map(x => x.getBoundingClientRect().width)"
    )
    ten_times = figure.find("tbody").evaluate(
        """body => body.querySelector(".length").parentElement.getBoundingClientRect()
            .width / Number(body.style.getPropertyValue("--powers"))"""
    )
    times = [time["ms"] for time in ladder["engines"]]
    slower = [ten_times * math.log10(ms / times[0]) for ms in times]
    assert [width - widths[0] for width in widths] == approx(slower, abs=2)
    for grown in ("layers", "width", "context", "batch"):
        figure.press(grown)
        for place, of in enumerate(settings(grown)):
            if place:
                figure.slide("", "ArrowRight")
            layers = f"{of['layers']} layer{'s' * (of['layers'] > 1)}"
            says = (
                f"{layers}, width {of['width']}, context {of['context']},"
                f" batch {of['batch']}: {of['parameters']:,} parameters"
            )
            figure.shows({".says": says})
            assert_recorded(figure, of)
            assert not re.search(r"NaN|undefined|Infinity", figure.root.inner_text())
    # What would take too long is not begun.
    figure.press("width")
    figure.slide("", "End")
    figure.shows({".verdict": see.containing("too long for a page")})
    measure = figure.button("Measure here")
    expect(measure).to_have_attribute("aria-disabled", "true")
    measure.press("Enter")
    assert not figure.asked_python()
    # Readers measure beside the record.
    figure.press("as in the table")
    figure.shows({see.count(".length.own"): 0})
    figure.press("Measure here")
    figure.shows(
        {".verdict": see.containing("agree to 1e-9"), see.count(".length.own"): 3}
    )
    assert_recorded(figure, ladder)
    shown = cells(figure)
    assert all(size(shown[engine][2]) > 0 for engine in ("value", "dot", "lists"))
    assert shown["numpy"][2:] == ["–", "–"]
    # Another setting has none of the reader's own; back again, they are there.
    figure.press("width")
    figure.shows({see.count(".length.own"): 0})
    figure.press("as in the table")
    figure.shows({see.count(".length.own"): 3})


def merged(name: str, at: int) -> Seen:
    """The rows of the steps up to this one, with what each merges next."""
    result: Any = bpe(name)
    steps = result["steps"]
    pieces = [piece for step in steps for piece in step["pieces"]]
    return {
        ".rows > li .chip": [
            piece["text"] + ", new" * piece["made"] for piece in pieces
        ],
        see.flags(".rows > li .chip", ".next"): [
            bool(piece["next"]) for piece in pieces
        ],
        ".rows > li .says": [f"{step['says']} ({step['counts']})" for step in steps],
        see.visible(".rows > li"): [place <= at for place in range(len(steps))],
        ".outcome": result["outcome"],
        see.visible(".outcome"): [at == len(steps) - 1],
    }


def test_bpe(open_figure: Open) -> None:
    figure = open_figure("bpe")
    figure.shows(merged("christopher", len(bpe("christopher")["steps"]) - 1))
    field = figure.find("input[type=text]")
    field.fill("anandan")
    field.press("Enter")
    figure.shows(merged("anandan", 0))
    figure.walks(merged("anandan", at) for at in range(len(bpe("anandan")["steps"])))
    expect(figure.button("One step on")).to_have_attribute("aria-disabled", "true")
    figure.press("zyx")
    figure.shows(merged("zyx", 0))
