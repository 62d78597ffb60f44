"""What readers see in the widgets of attention is what Python computes."""

import math
import random
import re
from functools import cache

from pytest import approx

from microgpt import GPT, Config, Value, load_names
from tests.calls import Call, numbers, read_with
from tests.models import document, recorded
from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough

# All widgets together are looked at every day.
pytestmark = thorough


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
    figure.shows(arcs(weights("one-end", "trained", "emma", 0)[4], 5))
    figure.press("a gives e")
    figure.shows(behind("one-end", "emma", 0, 4, 1, 0))
    figure.choose("What comes home has", "15")
    figure.shows(behind("one-end", "emma", 0, 4, 1, 15))
    figure.press("untrained")
    figure.shows(arcs(weights("one-end", "untrained", "emma", 0)[4], 5))
    # It answers while one types.
    figure.press("trained")
    figure.type("Lena", enter=False)
    figure.shows(arcs(weights("one-end", "trained", "lena", 0)[4], 5))


def test_four_heads_listen_as_the_package_computes(open_figure: Open) -> None:
    figure = open_figure("attention", page="transformer/heads/")
    name = figure.given["name"]
    every = [weights("four-end", "trained", name, head) for head in range(4)]
    drawn = [0.08 + 0.92 * math.sqrt(w) for rows in every for row in rows for w in row]
    shades = see.style(".thumbnail rect", "fill-opacity")
    figure.shows({shades: approx(drawn, abs=0.0051)})
