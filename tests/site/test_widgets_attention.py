"""What readers see in the widgets of attention is what Python computes."""

from __future__ import annotations

import math
import random
import re
from functools import cache
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from microgpt import GPT, Config, Value, load_names
from tests.models import document, recorded
from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._gpt import numbers, read_with
from widgets._tracing import Call
from widgets.positions.model import positions
from widgets.residual_stream.model import residual_stream
from widgets.rmsnorm.model import POWERS, rmsnorm

# All widgets together are looked at every day.
pytestmark = thorough


@cache
def rows_of(name: str, weights: str) -> Any:
    found: Any = positions(name, weights)["networks"]  # type: ignore[arg-type]
    return next(one for one in found if one["weights"] == weights)


def maps_of(name: str, weights: str) -> Seen:
    """The cells of all four maps."""
    keys = ("token", "position", "sum")
    both = [rows_of(name, state) for state in ("untrained", "trained")]
    limit = max(abs(x) for of in both for key in keys for row in of[key] for x in row)
    rows = rows_of(name, weights)
    return {
        see.shades(".heat-map"): [
            *(see.strengths(rows[key], limit) for key in keys),
            see.strengths(rows["similar"], 1),
        ]
    }


def added(name: str, weights: str, place: int, at: int) -> Seen:
    """The words say what is added, and what it gives."""
    rows = rows_of(name, weights)
    head = f"{['BOS', *name][place]} at position {place}, number {at}"

    def read(text: str) -> object:
        said, _, sum_ = text.partition(": ")
        left, _, total = sum_.partition(" = ")
        first, _, second = left.replace(" − ", " + −").partition(" + ")
        return said, [see.number(each) for each in (first, second, total)]

    numbers_ = [rows[which][place][at] for which in ("token", "position", "sum")]
    return {".says": see.reading(read, (head, numbers_))}


def test_positions(open_figure: Open) -> None:
    figure = open_figure("positions")
    maps = figure.root.get_by_role("application")
    expect(maps).to_have_count(4)
    row = rows_of("emma", "trained")["sum"][3]
    most = max(range(16), key=lambda i: abs(row[i]))
    figure.shows({**maps_of("emma", "trained"), **added("emma", "trained", 3, most)})
    # By keyboard, from the letters to the positions; one cell is marked in all three.
    figure.keys(maps.nth(0), "End", "ArrowUp")
    figure.shows({**added("emma", "trained", 2, 15), see.count(".maps .picked"): 3})
    figure.keys(maps.nth(1), "Home", "ArrowDown")
    figure.shows(added("emma", "trained", 3, 0))
    figure.press("untrained")
    figure.shows({**maps_of("emma", "untrained"), **added("emma", "untrained", 3, 0)})
    # By mouse, in the map of similarities
    box = maps.nth(3).bounding_box()
    assert box is not None
    side = box["width"] / 16
    maps.nth(3).click(position={"x": 5.5 * side, "y": 4.5 * side})
    value = rows_of("emma", "untrained")["similar"][4][5]
    said = see.reading(
        lambda text: (
            text.partition(": ")[0],
            see.number(text.rstrip(".").split()[-1]),
        ),
        ("Positions 4 and 5", value),
    )
    figure.shows({".says": said})
    maps.nth(3).press("ArrowLeft")
    figure.shows({".says": "Position 4 is itself: 1."})
    assert not figure.asked_python()

    figure.press("trained")
    figure.type("aaaaaaaa", enter=False)
    figure.shows({".says": see.containing("a at position 2")})
    figure.press("untrained")
    names = figure.find(".heat-map").nth(1).locator(".names.down span")
    expect(names).to_have_text([str(i) for i in range(9)])
    figure.shows(maps_of("aaaaaaaa", "untrained"))


def normed(given: list[float], at: int) -> Seen:
    """Both vectors, their bars and their sizes at a scale."""
    result: Any = rmsnorm(given)
    step = result["scales"][at]
    pairs = list(zip(step["x"], step["result"]))
    sizes = [step["mean_square"], result["epsilon"], step["factor"]]
    sizes += [step["size"], step["result_size"]]
    return {
        see.numbers(".both-vectors tbody td:not(.wide)"): approx(
            [x for pair in pairs for x in pair], rel=1e-4
        ),
        **see.widths(
            ".both-vectors tbody .fill",
            [
                50 * min(1, abs(value) / limit)
                for pair in pairs
                for value, limit in zip(pair, (4, 2))
            ],
            abs=0.01,
        ),
        see.count(".both-vectors .scale.past"): sum(
            (abs(x) > 4) + (abs(y) > 2) for x, y in pairs
        ),
        see.numbers(".sizes td"): approx(sizes, rel=1e-4),
        ".verdict": result["says"],
        see.numbers(".size .value"): approx(step["scale"], rel=0.006),
    }


def test_rmsnorm(open_figure: Open) -> None:
    figure = open_figure("rmsnorm")
    given = figure.given["numbers"]
    result: Any = rmsnorm(given)
    last = len(result["scales"]) - 1
    figure.shows(normed(given, result["at"]))
    figure.slide("Scale", "End")
    figure.shows(normed(given, last))
    expect(figure.button("Longer")).to_be_disabled()
    for at in range(last - 1, -1, -1):
        figure.press("Shorter")
        figure.shows(normed(given, at))
    spoken = figure.find(".size [role=status]")
    expect(spoken).to_contain_text("scale 10⁻⁵: root mean square")
    said = figure.slider("Scale").get_attribute("aria-valuetext") or ""
    assert "root mean square" in said
    assert not figure.asked_python()
    one = POWERS.index(0)
    figure.press("zeros")
    figure.shows({".verdict": see.containing("dividing by 0")})
    for _ in range(one):
        figure.press("Longer")
    figure.shows(normed([0.0] * 4, one))
    figure.slide("[2]", "End")
    figure.slide("[2]", "ArrowLeft")
    figure.shows(normed([0.0, 0.0, 3.75, 0.0], one))


def stream(name: str, weights: str, position: int, at: int, rel: float = 1e-6) -> Seen:
    """Each strip, each length, each guess and all probabilities."""
    result: Any = residual_stream(name)
    names, way = result["tokens"], result[weights][position]
    sum_, normed_, mixed, end = way["stream"]
    by_attention, by_mlp = way["added"]
    order = [*way["embeddings"], sum_, normed_, by_attention, mixed, by_mlp, end]

    def guess(text: str) -> list[tuple[str, float]]:
        said = text.partition("likeliest:")[2].split(",")
        return [(name, see.number(p)) for name, p in (each.split() for each in said)]

    p = way["stream"][at]["probabilities"]
    most = max(max(each["probabilities"]) for each in way["stream"])
    loss = f"loss {way['stream'][at]['loss']:.3f}"
    return {
        see.count(".strip"): len(order),
        see.flags(".strip .square", ".below"): [
            x < 0 for of in order for x in of["numbers"]
        ],
        see.numbers(".length"): approx([of["length"] for of in order], abs=0.0051),
        ".guess": [
            see.reading(
                guess,
                [
                    (names[token], approx(of["probabilities"][token], rel=0.06))
                    for token in likeliest(of["probabilities"])
                ],
            )
            for of in way["stream"]
        ],
        see.numbers(".bars .value"): approx(p, rel=0.06),
        see.style(".bars .fill", "width"): approx(
            [100 * x / most for x in p], abs=0.06 + 100 * rel
        ),
        ".bars .mark .name": names[way["next"]],
        ".verdict": re.compile(rf"{names[way['next']]} comes next.*{loss}"),
    }


def likeliest(p: list[float]) -> list[int]:
    return sorted(range(len(p)), key=lambda token: -p[token])[:3]


def test_residual_stream(open_figure: Open) -> None:
    figure = open_figure("residual_stream")
    figure.shows(stream("emma", "trained", 4, 3))
    letters = figure.root.get_by_role("group", name="The token that is read")
    expect(letters.get_by_role("button")).to_have_text(["BOS", *"emma"])
    for position in range(5):
        letters.get_by_role("button").nth(position).press("Enter")
        figure.shows(stream("emma", "trained", position, 3))
    # By keyboard: the untrained model, then from place to place along the stream
    figure.press("untrained")
    expect(figure.find(".whole .title").first).to_contain_text("untrained")
    places = figure.root.get_by_role("radio")
    places.nth(3).focus()
    for at in (2, 1, 0):
        figure.tab.keyboard.press("ArrowUp")
        expect(places.nth(at)).to_be_checked()
        figure.shows(stream("emma", "untrained", 4, at))
    status = figure.find(".verdict[role=status]")
    expect(status).to_contain_text("the sum: BOS comes next")
    assert not figure.asked_python()
    figure.type("bo")
    expect(letters.get_by_role("button")).to_have_text(["BOS", "b", "o"])
    figure.shows(stream("bo", "untrained", 2, 0, 0.01))


@cache
def looks(end: str, state: str, name: str) -> list[list[Call]]:
    """What each head of the package's model does, token by token."""
    rng = random.Random(42)
    rng.shuffle(load_names())
    model = GPT(Config(n_head=4 if end == "four-end" else 1), rng)
    if state == "trained":
        for of, rows in recorded(f"{end}-weights").items():
            model.weights[of] = [[Value(x) for x in row] for row in rows]
    calls = read_with(model, document(name)[:-1])
    return [forward.all("attention")[0].all("attend") for forward in calls]


def weights(end: str, state: str, name: str, head: int) -> list[list[float]]:
    return [numbers(by[head].variables["weights"]) for by in looks(end, state, name)]


def landing(path: str) -> float:
    """How wide an arc is where it lands."""
    edge, other = re.findall(r" ([\d.]+) 240H([\d.]+)C", path)[0]
    return abs(float(other) - float(edge))


def arcs(row: list[float], tokens: int) -> Seen:
    """The arcs and percentages of a token that asks."""
    band = 0.52 * min(640 / 6, 640 / tokens)
    return {
        see.attribute(".arc", "d"): see.reading_all(
            lambda paths: [landing(path) for path in paths],
            approx([band * weight for weight in sorted(row)], abs=0.11),
        ),
        ".shares > *": [
            see.reading(percentage, approx(100 * w, abs=0.501)) for w in row
        ],
    }


def percentage(text: str) -> float:
    return float(text.removesuffix("%"))


def behind(end: str, name: str, head: int, asks: int, to: int, number: int) -> Seen:
    """Every number between a token that asks and what it takes home."""
    call = looks(end, "trained", name)[asks][head]
    query = numbers(call.variables["query"])
    keys, values = (
        [numbers(vector) for vector in call.variables[of]] for of in ("keys", "values")
    )
    products = [q * k for q, k in zip(query, keys[to], strict=True)]
    dots = [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]
    scores = [dot / math.sqrt(len(query)) for dot in dots]
    powers = [math.exp(score - max(scores)) for score in scores]
    shares = numbers(call.variables["weights"])
    rows = [
        [
            dots[j],
            scores[j],
            powers[j],
            share,
            values[j][number],
            share * values[j][number],
        ]
        for j, share in enumerate(shares)
    ]
    near = 0.000501
    return {
        see.numbers(".products td"): approx([*query, *keys[to], *products], abs=near),
        see.numbers(".shares-of tbody td"): approx(
            [x for row in rows for x in row], abs=near
        ),
        ".shares-of .now th": (["start", *name])[to],
        see.numbers(".shares-of tfoot td:nth-of-type(3)"): approx(
            [sum(powers)], abs=near
        ),
        see.numbers(".shares-of tfoot td:last-child"): approx(
            [call.result[number].data], abs=near
        ),
    }


def test_one_head_listens_as_the_package_computes(open_figure: Open) -> None:
    figure = open_figure("attention", page="attention/scores/")
    rows = weights("one-end", "trained", "emma", 0)
    figure.shows(arcs(rows[4], 5) | {".says": see.containing("to the last m (53 %)")})
    figure.keys(".who.asks input", "ArrowLeft")
    figure.shows(arcs(rows[3], 5) | {see.count(".who.later"): 1})
    figure.press("m gives e 8 %")
    figure.shows(behind("one-end", "emma", 0, 3, 1, 0))
    figure.choose("What comes home has", "15")
    figure.shows(behind("one-end", "emma", 0, 3, 1, 15))
    # Before training, all alike
    figure.press("untrained")
    before = weights("one-end", "untrained", "emma", 0)
    figure.shows(arcs(before[3], 5) | {".says": see.containing("about equally")})
    # It answers while one types, and keeps the picture where a name cannot be read
    figure.press("trained")
    figure.type("Lena", enter=False)
    figure.shows(arcs(weights("one-end", "trained", "lena", 0)[4], 5))
    figure.type("lenä", enter=False)
    figure.shows(
        {see.count(".stale .arc"): 5}, refusal="does not know the character ‘ä’"
    )
    assert not figure.asked_python()


def test_four_heads_and_the_address_that_keeps_them(open_figure: Open) -> None:
    figure = open_figure("attention", page="transformer/heads/")
    name = figure.given["name"]
    every = [weights("four-end", "trained", name, head) for head in range(4)]
    drawn = [w for rows in every for row in rows for w in row]
    figure.shows(
        arcs(every[2][-1], len(name) + 1)
        | {
            see.style(".thumbnail rect", "fill-opacity"): approx(
                [0.08 + 0.92 * math.sqrt(w) for w in drawn], abs=0.0051
            )
        }
    )
    figure.press("head 3")
    figure.find(".who").nth(4).click()
    figure.shows(arcs(every[3][4], len(name) + 1))
    figure.press(f"{name[3]} gives start")
    figure.shows(behind("four-end", name, 3, 4, 0, 0))
    figure.press("all at once: the mask")
    figure.tab.wait_for_url(re.compile("attention.view=mask"))
    link = figure.tab.url
    assert "attention.head=3" in link and "attention.asks=4" in link
    figure.tab.goto(link)
    figure.comes_alive()
    figure.shows(
        arcs(every[3][4], len(name) + 1) | behind("four-end", name, 3, 4, 0, 0)
    )
    figure.shows({see.shades(".heat-map"): [see.strengths(every[3], 1)]})
    # What an address cannot mean is as usual
    figure.tab.goto(re.sub("=(3|4|mask)", "=99", link))
    figure.comes_alive()
    figure.shows({see.count(".who.later"): 0, ".heads [aria-pressed=true]": "head 0"})


def test_the_cache_grows_and_the_mask_gives_the_same(open_figure: Open) -> None:
    figure = open_figure("attention", page="attention/cache/")
    rows = weights("one-end", "trained", "emma", 0)

    def cells(read: int) -> Seen:
        known = [row if i < read else [] for i, row in enumerate(rows)]
        return {see.shades(".heat-map"): [see.strengths(known, 1)]}

    figure.shows(cells(5))
    figure.press("Read it again")
    figure.shows(cells(1) | arcs(rows[0], 5))
    for read in (2, 3):
        figure.press("Read the next")
        figure.shows(cells(read) | arcs(rows[read - 1], 5))
    figure.shows({".matrix p:not(.axes)": see.containing("3 of 5 are read")})
    figure.keys(".cells", "ArrowUp", "ArrowLeft")
    figure.shows(cells(3) | behind("one-end", "emma", 0, 1, 0, 0))
    figure.press("all at once")
    same = see.containing("Largest difference from the cache: 0.")
    figure.shows(cells(5) | {".matrix p:not(.axes)": same})
