"""The pictures of Step 3, in the order of its pages."""

import cmath
import math
from collections.abc import Sequence
from operator import mul

from microgpt import Value, dot, softmax
from pictures.drawing import Axis, Drawing, Point
from pictures.records import descents, recorded
from snippets.ready.attention import looks
from widgets._network import end_weights


def lena(sheet: Drawing) -> None:
    """Whom the last letter of "lena" asks: the weights of a trained head, as arrows."""
    asking(sheet, "lena", looks(end_weights("one-end"), "lena")[-1], (48, 150), 94, 14)


def asking(
    sheet: Drawing,
    name: str,
    weights: Sequence[float],
    first: Point,
    apart: float,
    thick: float,
) -> None:
    """Draw a name, and an arrow from its last letter to each: the heavier, the thicker."""
    asks, y = first[0] + apart * len(name), first[1]
    for i, (said, weight) in enumerate(zip(["BOS", *name], weights, strict=True)):
        x = first[0] + apart * i
        back = asks - x  # an arrow to itself is a loop
        start, end, bend = (-8, 0, 0.9 + back / 90) if back else (22, 4, 1.8)
        bent, weighs = -thick * bend, thick * (weight + 0.07)
        tip = x + end, y - 3
        sheet.arrow((asks + start, y - 3), tip, "attention", bend=bent, weight=weighs)
        role = "data" if back else "attention"
        look = "small" if said == "BOS" else "large"
        sheet.block(x - 27, y, 54, 34, said, f"{role} {look}", down=6)
        look = "small strong" if weight == max(weights) else "small"
        sheet.text(x, y + 52, f"{weight:.2f}", f"attention {look}")


def three_faces(sheet: Drawing) -> None:
    """Query, key and value: what a letter looks for, how it is found, what it hands over."""
    apart, first = 116, 66  # pixels
    badge_y, letter_y, story_y = 96, 158, 182
    asks = first + 3 * apart - 60
    sheet.block(asks, 8, 112, 44, "query: any", "attention small", down=-3)
    sheet.text(asks + 56, 44, "consonants?", "attention small")
    start = (asks - 4, 40)
    for i, letter in enumerate("lena"):
        x, matches = first + apart * i, letter in "ln"
        # From the side of the query, and to its own key from below
        from_, to = (start, x + 14) if i < 3 else ((x, 54), x)
        weight = 5.0 if matches else 1.5
        sheet.arrow(from_, (to, badge_y - 5), "attention", weight=weight)
        kind = "consonant" if matches else "vowel"
        sheet.block(x - 48, badge_y, 96, 30, kind, "parameter small")
        sheet.text(x, letter_y, letter, "large strong")
        sheet.block(x - 48, story_y, 96, 30, f"I'm an {letter}", "activation small")
    sheet.label(first - 48, badge_y - 12, "keys", "parameter")
    sheet.label(first - 48, story_y + 54, "values", "activation")


def blend(sheet: Drawing) -> None:
    """A weighted average: three keys, their scores, their shares, and the values they mix."""
    asks = (2.0, 0.0)
    keys = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
    values = ((1.0, 5.0), (2.0, 5.0), (4.0, 5.0))
    top, row = 52, 46  # pixels
    share_x, bar = 232, 96
    query = [Value(q) for q in asks]
    scores = [dot(query, [Value(k) for k in key]) * len(query) ** -0.5 for key in keys]
    shares = [share.data for share in softmax(scores)]
    heads = ((52, "key", "parameter"), (150, "score", ""), (280, "weight", "attention"))
    for x, said, role in (*heads, (410, "value", "activation")):
        sheet.text(x, 28, said, f"{role} small")
    rows = zip(keys, scores, shares, values, strict=True)
    for i, (key, score, share, value) in enumerate(rows):
        y = top + row * i
        sheet.block(8, y - 6, 88, 32, f"{key[0]:g}, {key[1]:g}", "parameter")
        sheet.text(150, y + 15, f"{score.data:.2f}")
        sheet.box(share_x, y - 4, bar, 26, "soft")
        sheet.box(share_x, y - 4, bar * share, 26, "attention", strength=0.45)
        sheet.text(share_x + bar / 2, y + 15, f"{share:.2f}", "strong")
        sheet.block(366, y - 6, 88, 32, f"{value[0]:g}, {value[1]:g}", "activation")
    blend = [sum(map(mul, shares, column)) for column in zip(*values, strict=True)]
    sheet.line([(8, 190), (454, 190)], "soft")
    sheet.text(52, 230, f"{asks[0]:g}, {asks[1]:g}", "attention strong")
    sheet.text(52, 254, "query", "attention small")
    sheet.arrow((300, 225), (354, 225), "activation", weight=2)
    sheet.text(410, 230, f"{blend[0]:.2f}, {blend[1]:.2f}", "activation strong")
    sheet.text(410, 254, "blend", "activation small")


def which_place(sheet: Drawing) -> None:
    """Order: two words are one bag of letters, until each letter has a place."""
    card, apart = 44, 58  # pixels
    sheet.text(110, 22, "without places", "small soft")
    sheet.text(366, 22, "with places", "small soft")
    for row, word in enumerate(("amy", "may")):
        y = 44 + 104 * row
        sheet.box(18, y - 6, 184, card + 30, "soft")
        sheet.text(236, y + 34, word, "strong")
        for left, top, cards in ((36, y + 6, sorted(word)), (284, y - 2, word)):
            for i, letter in enumerate(cards):
                role = "attention" if letter == word[-1] else "data"
                x = left + apart * i
                sheet.box(x, top, card, card, role)
                sheet.text(x + card / 2, top + 29, letter, "large strong")
        for i in range(len(word)):
            sheet.text(306 + apart * i, y + 62, i + 1, "parameter strong")
    sheet.text(110, 240, "the same", "small")
    sheet.text(366, 240, "not the same", "small")


def one_size(sheet: Drawing) -> None:
    """RMSNorm in two dimensions: vectors before, and on one circle after."""
    short, long, other = (0.6, 0.3), (2.0, 1.0), (-0.5, 1.7)
    radius = math.sqrt(2)  # a root mean square of 1, in two dimensions
    # The short vector would lie on the long one; where the axes begin, end and cross
    sides = (
        ("before", (short, long, other), 10, 210, 70),
        ("after", (long, other), 245, 455, 350),
    )
    for said, vectors, left, right, zero in sides:
        sheet.axes(Axis(0, 1, zero, zero + 66), Axis(0, 1, 196, 130))
        sheet.text(zero, 228, said, "small soft")
        sheet.line([(left, 196), (right, 196)], "soft")
        sheet.line([(zero, 196), (zero, 20)], "soft")
        for x, y in vectors:
            scale = radius / math.hypot(x, y) if said == "after" else 1
            role = "gradient" if (x, y) == other else "activation"
            end = sheet.at(scale * x, scale * y)
            sheet.arrow(sheet.at(0, 0), end, role, weight=2.5)
    circle = [cmath.rect(radius, cmath.pi * i / 40) for i in range(41)]
    sheet.curve([(point.real, point.imag) for point in circle], look="dashed")


def floors(sheet: Drawing) -> None:
    """The picture of the guide: each model on its way down, and the floors of the tables."""
    curves = (
        ("network", "one letter", "data", 0),
        ("without attention", "+ position", "parameter", 0),
        ("one head, Adam", "one head", "attention", -9),
        ("four heads", "four heads", "activation", 5),
    )
    tables = (
        ("pairs", "table of pairs", False),
        ("letter and position", "letter + position", False),
    )
    descents(sheet, Axis(2.08, 2.56, 280, 20), (2.1, 2.3, 2.5), curves, tables)


def never_had(sheet: Drawing) -> None:
    """What it costs to leave each part out for good, from the dearest to none at all."""
    names = ("attention", "mlp", "positions", "queries", "residual", "norm")
    parts = ("attention", "MLP", "positions", "queries, keys", "residuals", "RMSNorm")
    rungs, seen = recorded("ends")["original"]["rungs"], "300000"
    rows, role = [], "attention"
    for name, said in zip(names, parts, strict=True):
        without, whole = (rungs[of][seen] for of in (f"without {name}", "four heads"))
        cost = round(without["mean"] - whole["mean"], 3) + 0
        rows.append((said, role, cost, f"{cost:.3f}"))
        role = "data"
    sheet.bars(rows, 122, 1_950, apart=36)
    sheet.label(122, 236, "nats of held-out loss that its absence costs", "soft")
