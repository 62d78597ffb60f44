"""What readers see in the widgets of inference is what the model gives."""

from __future__ import annotations

import random
import re
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from microgpt import load_model, sample
from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.grow.model import grow
from widgets.memorised.model import memorised
from widgets.temperature.model import samples, temperature

# All widgets together are looked at every day.
pytestmark = thorough


SEED = 9  # of the page


def percent(p: float) -> str:
    if p > 0.9995:
        return "100%"
    return "<0.1%" if p < 0.0005 else f"{100 * p:.1f}%"


def name_of(seed: int, temperature: float = 0.5, prompt: str = "") -> str:
    model, tokenizer = load_model()
    return sample(model, tokenizer, random.Random(seed), temperature, prompt)


def grown(places: Any, name: str) -> Seen:
    """A name: its letters, ? for what may come, . for its end, each with its chance."""
    text = name.rstrip(".?")
    chances = []
    for place, letter in enumerate(name):
        row = places[text[:place]]["probabilities"]
        token = 26 if letter == "." else ord(letter) - ord("a")
        chances.append(None if letter == "?" else row[token])
    heights = approx([100 * (p or 0) for p in chances], abs=0.06)
    tiles = [{".": "end"}.get(letter, letter) for letter in name]
    return {
        ".line .tile .letter": tiles,
        ".line .p": ["–" if p is None else percent(p) for p in chances],
        see.style(".line .fill", "height"): heights,
    }


def offered(place: Any, count: int = 10) -> Seen:
    """The letters that may come, the likeliest first."""
    p = place["probabilities"]
    order = sorted(range(27), key=lambda token: -p[token])[:count]
    heights = approx([100 * p[t] / p[order[0]] for t in order], abs=0.06)
    return {
        ".offered .letter": [chr(ord("a") + t) if t < 26 else "end" for t in order],
        ".offered .p": [percent(p[token]) for token in order],
        see.style(".offered .fill", "height"): heights,
    }


def test_grow_without_python(open_figure: Open) -> None:
    figure = open_figure("grow")
    figure.tab.emulate_media(reduced_motion="reduce")
    places: Any = grow("", 0.5, SEED)["places"]
    first = name_of(SEED)
    figure.shows(
        {
            **grown(places, f"{first}."),
            **offered(places[first]),
            ".says": see.containing(f"One name in {places[first]['one_in']:,.0f} is"),
            ".call": "sample(model, tokenizer, random.Random(9), 0.5)",
        }
    )
    # The page carries the next names too; who asks for little motion sees them at once.
    fates = {
        "new": "It is not in the dataset.",
        "held out": "It is in the dataset, but was not trained on.",
        "trained": "It is in the dataset, and was trained on.",
    }
    for seed in (SEED + 1, SEED + 2, SEED + 3):
        figure.press("New name")
        name = name_of(seed)
        figure.shows(
            {
                ".says b": f"“{name}”",
                **grown(places, f"{name}."),
                ".call": see.containing(f"random.Random({seed})"),
                ".says": see.containing(fates[places[name]["kind"]]),
            }
        )
    kept = [name_of(seed) for seed in range(SEED + 3, SEED - 1, -1)]
    figure.shows({".kept button": kept})
    figure.find(".kept button").last.press("Enter")
    figure.shows(grown(places, f"{first}."))
    # Back to a letter: what else could have come there, and the end if the reader wants.
    figure.press("Place 3:")
    figure.shows({**grown(places, f"{first}."), **offered(places[first[:2]])})
    figure.press("All 27")
    figure.shows(offered(places[first[:2]], 27))
    figure.press("end", within=".offered")
    one_in = places[first[:2]]["one_in"]
    says = see.containing(f"One name in {one_in:,.0f} is “{first[:2]}”")
    figure.shows({**grown(places, f"{first[:2]}."), ".says": says, ".call": ""})
    assert not figure.asked_python()


def test_grow_with_python(open_figure: Open) -> None:
    figure = open_figure("grow")
    # Letters come one after another, and keys go back.
    name = name_of(SEED + 1)
    figure.press("New name")
    expect(figure.find(".line .open")).to_have_count(1)
    figure.find(".line .over").wait_for()
    figure.shows({".says b": f"“{name}”", ".line .letter": [*name, "end"]})
    for key, asked in (
        ("Home", "At the beginning"),
        ("ArrowRight", f"After “{name[0]}”"),
        ("End", f"After “{name}”"),
    ):
        figure.find(".line .here").press(key)
        expect(figure.find(".asked")).to_contain_text(asked)
        if key == "ArrowRight":
            focused = figure.tab.evaluate("document.activeElement.ariaLabel")
            assert focused.startswith(f"Place 2: {name[1]}")

    # A reader leads a name astray, and the model goes on.
    figure.tab.emulate_media(reduced_motion="reduce")
    figure.press("Place 2:")
    figure.press("All 27")
    odd = figure.find(".offered .tile").last
    chosen = name[0] + odd.locator(".letter").inner_text()
    odd.press("Enter")
    figure.shows({".asked": see.containing(f"After “{chosen}”")})
    places: Any = grow(chosen, 0.5, SEED + 1)["places"]
    begins = percent(places[chosen]["begins"])
    says = f"{begins} of its names begin with “{chosen}”."
    figure.shows(
        {**grown(places, f"{chosen}?"), **offered(places[chosen], 27), ".says": says}
    )
    full = name_of(SEED + 1, prompt=chosen)
    figure.press("One letter")
    expect(figure.find(".line .letter").nth(2)).to_have_text(full[2])
    figure.press("Let the model go on")
    call = f'sample(model, tokenizer, random.Random({SEED + 1}), 0.5, "{chosen}")'
    figure.shows({".says b": f"“{full}”", **grown(places, f"{full}."), ".call": call})
    said = figure.find(".choices [role=status]")
    expect(said).to_contain_text(f"The name is “{full}”.")
    # Hotter: the same letters, other probabilities
    figure.slide("temperature", "End")
    figure.shows({".asked": see.containing("at temperature 10")})
    hotter: Any = grow(full, 10, SEED + 1)["places"]
    figure.shows(grown(hotter, f"{full}."))
    figure.type("123", "seed", enter=False)
    figure.press("Grow")
    figure.shows({".says b": f"“{name_of(123, temperature=10)}”", ".refusal": ""})


def look(prefix: str, at: float) -> Seen:
    result: Any = next(iter(temperature(prefix, 0.5)))
    (of,) = (of for of in result["looks"] if of["temperature"] == at)
    p = of["probabilities"]
    full = min(scale for scale in (0.1, 0.25, 0.5, 1) if scale >= max(p))
    logits = result["logits"]
    best = [*"abcdefghijklmnopqrstuvwxyz", "end"][logits.index(max(logits))]
    return {
        ".says": f"Entropy {of['entropy']:.3f} nats: "
        f"as unsure as a fair choice among {of['choice']:.2f} letters.",
        ".bars .value": [
            "0" if x == 0 else percent(x).replace("100%", "100.0%") for x in p
        ],
        **see.widths(".bars .fill", [100 * x / full for x in p]),
        ".bars .mark .name": best,
        ".drawn code": samples(prefix, at),
    }


def test_temperature(open_figure: Open) -> None:
    figure = open_figure("temperature")
    figure.shows(look("mar", 0.5))
    for key, at in (("Home", 0.001), ("End", 1000.0)):
        figure.slide("temperature", key)
        figure.shows(look("mar", at))
    status = figure.find(".sr-only[role=status]")
    expect(status).to_contain_text("a fair choice among 27.00 letters")
    # Typed: Python draws names anew, first where the reader looks.
    figure.slide("temperature", "ArrowLeft")
    figure.type("jo", "How the name begins", enter=False)
    figure.shows({".title": see.containing("After “jo”"), **look("jo", 100.0)})
    figure.press("nothing")
    figure.shows({".title": see.containing("After BOS alone"), **look("", 100.0)})


def judged(name: str) -> Seen:
    """A name among its neighbours, and what is said of it."""
    result: Any = memorised(name)
    rows = [(one["name"], one["kind"]) for one in result["likeliest"]]
    if name not in [of for of, _ in rows]:
        rows.append((name, result["itself"]["kind"]))
    words = {"new": "no", "trained": "trained on"}
    rank = result["itself"]["rank"]
    place = "is the likeliest" if rank == 1 else f"comes at place {rank};"
    facts = [
        f"Its loss is {result['loss']:.3f} nats",
        f"Of {result['total']} names",
        place,
    ]
    shares = [one["share"] for one in result["likeliest"]]
    row = "tr:has(th[scope=row])"
    return {
        f"{row} th": [of for of, _ in rows],
        "tr.now th": name,
        f"{row} td.kind": [words.get(str(kind), str(kind)) for _, kind in rows],
        ".says": re.compile("".join(f"(?=.*{re.escape(fact)})" for fact in facts)),
        see.style(f"{row} .fill", "width"): see.reading_all(
            lambda widths: widths[: len(shares)],
            approx([100 * share for share in shares], abs=0.06),
        ),
    }


def test_memorised(open_figure: Open) -> None:
    figure = open_figure("memorised")
    says = figure.find(".says")
    figure.shows(judged("christopher"))
    expect(says).to_contain_text("step 862 trained on it")
    figure.press("mara")
    figure.shows(judged("mara"))
    expect(says).to_contain_text("but not among the 1,000 names")
    figure.type("qwert", enter=False)
    figure.shows(judged("qwert"))
    expect(says).to_contain_text("none of the 5,676 names")
