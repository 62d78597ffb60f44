"""The pictures of Step 3, in the order of its pages."""

from collections.abc import Sequence

from pictures.drawing import Axis, Drawing, Point
from pictures.records import descents, recorded
from snippets.ready.attention import looks
from widgets._weights import gpt_weights


def lena(sheet: Drawing) -> None:
    """Draw the weights of a trained head, at the last letter of "lena", as arrows."""
    asking(sheet, "lena", looks(gpt_weights("one-end"), "lena")[-1], (48, 150), 94, 14)


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
    """Draw query, key and value: what a letter looks for, how it is found, what it gives."""
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


def floors(sheet: Drawing) -> None:
    """Draw the losses of models as they fall, and the lowest that tables reach."""
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
    """Draw the loss that leaving out each part costs, from the most to none."""
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
