"""The pictures of Step 2, in the order of its pages."""

import math
from collections import Counter
from itertools import pairwise

from microgpt import Value
from microgpt.autograd import topological_order
from pictures.drawing import Drawing
from snippets.ready import untrained_values
from snippets.step2 import mean_loss

RADIUS = 27


def remembering(sheet: Drawing) -> None:
    """Autograd: numbers computed forward, and gradients that came back."""
    a, b = Value(2.0), Value(3.0)
    c = a + b
    d = c * a
    d.backward()
    places = {a: (60, 62), b: (60, 208), c: (240, 170), d: (420, 80)}
    for name, (node, (x, y)) in zip("abcd", places.items(), strict=True):
        role = "activation" if node._children else "data"
        sheet.dot(x, y, RADIUS, f"{role} ring")
        sheet.text(x, y + 6, f"{node.data:g}", f"{role} strong")
        sheet.text(x, y - 36, name, "small")
        sheet.text(x, y + 48, f"grad {node.grad:g}", "gradient small strong")
        for child in node._children:
            x0, y0 = places[child]
            gap = (RADIUS + 4) / math.hypot(x - x0, y - y0)  # outside the circles
            dx, dy = gap * (x - x0), gap * (y - y0)
            sheet.arrow((x0 + dx, y0 + dy), (x - dx, y - dy))
    sheet.text(150, 222, "+", "large")
    sheet.text(330, 152, "×", "large")
    sheet.arrow((110, 20), (250, 20), "activation", weight=2)
    sheet.label(262, 25, "compute", "activation")
    sheet.arrow((420, 262), (230, 262), "gradient", weight=2)
    sheet.text(214, 267, "walk back", "gradient small end")


def children(sheet: Drawing) -> None:
    """A Value in memory: the result of a product, and the two objects it holds on to."""
    a, b = Value(2.0), Value(3.0)
    c = a * b
    sheet.box(24, 30, 220, 160, "activation")
    sheet.text(134, 20, "c", "activation strong")
    slopes = ", ".join(f"{slope:g}" for slope in c._local_grads)
    for y, name, value, role in (
        (62, "data", f"{c.data:g}", "activation"),
        (96, "grad", f"{c.grad:g}", "gradient"),
        (130, "children", "", ""),
        (164, "local grads", slopes, "gradient"),
    ):
        sheet.label(40, y, name)
        sheet.text(190, y, value, f"{role} strong")
    for name, child, x, y in (("a", a, 180, 66), ("b", b, 198, 154)):
        sheet.dot(x, 125, 4)
        sheet.arrow((x + 6, 125), (366, y))
        sheet.dot(400, y, 28, "data ring")
        sheet.text(400, y + 6, f"{child.data:g}", "data strong")
        sheet.text(446, y + 6, name, "data strong")


def rectangle(sheet: Drawing) -> None:
    """The product rule: a rectangle whose sides grow by a strip each."""
    a, b = 2, 3  # the sides
    scale, strip = 68, 20  # pixels for a unit, and the width of a strip
    x, y, wide, high = 110, 16, scale * b, scale * a
    sheet.box(x, y, wide, high, "activation", strength=0.15)
    sheet.text(x + wide / 2, y + high / 2 + 6, "a · b = 6", "activation strong")
    sheet.box(x, y + high, wide, strip, "gradient", strength=0.45)
    sheet.box(x + wide, y, strip, high, "gradient", strength=0.45)
    sheet.text(x - 14, y + high / 2 + 6, "a = 2", "data end")
    sheet.text(x + wide / 2, y + high + 50, "b = 3", "data")
    sheet.label(x + wide + 34, y + high / 2 - 8, "b grows:")
    sheet.text(x + wide + 34, y + high / 2 + 14, "slope a", "gradient start")
    sheet.text(x - 14, y + high + 14, "a grows:", "small end")
    sheet.text(x - 14, y + high + 36, "slope b", "gradient end")


def two_directions(sheet: Drawing) -> None:
    """Forward mode and reverse mode: what a walk from one end of a graph reaches."""
    sides = (
        (20, "forward", "finds 1 slope of 4", True),
        (270, "reverse", "finds all 4", False),
    )
    for left, title, said, forward in sides:
        ins = [(left + 12, 60 + 44 * i) for i in range(4)]
        mids = [(left + 95, 82 + 88 * i) for i in range(2)]
        out = (left + 178, 126)
        edges = [(p, mids[i // 2]) for i, p in enumerate(ins)]
        edges += [(mid, out) for mid in mids]
        reached = {ins[0], mids[0], out} if forward else {*ins, *mids, out}
        for start, end in edges:
            (x0, y0), (x1, y1) = (start, end) if forward else (end, start)
            near, far = (
                (x0 + share * (x1 - x0), y0 + share * (y1 - y0))
                for share in (0.22, 0.8)
            )
            if {start, end} <= reached:
                sheet.arrow(near, far, "gradient", weight=2)
            else:
                sheet.line([near, far], "soft")
        for point in (*ins, *mids, out):
            role = "cost" if point == out else "parameter" if point in ins else ""
            ring = "" if point in reached else "ring"
            sheet.dot(*point, 10, f"{role} {ring}")
        sheet.text(left + 95, 24, title, "strong")
        sheet.text(left + 95, 238, said, "gradient small")


def one_pair(sheet: Drawing) -> None:
    """The graph of one guess: a dot for each result, in the order in which they are made."""
    high, step = 16, 11  # dots in a column; pixels from one to the next
    left, top, gap = 26, 44, 44  # pixels
    stages = ("fc1", "ReLU", "fc2", "minus", "exp", "loss")
    _, tokenizer, weights = untrained_values()
    depth: dict[Value, int] = {}
    for node in topological_order(mean_loss(tokenizer.document("emma")[:2], weights)):
        depth[node] = max((depth[child] + 1 for child in node._children), default=0)
    counts = Counter(min(of, len(stages)) for of in depth.values() if of)
    x = left
    for stage, said in enumerate(stages, 1):
        wide = step * (-(-counts[stage] // high) - 1)
        role = "cost" if said == "loss" else "activation"
        for i in range(counts[stage]):
            at = x + step * (i // high), top + step * (i % high)
            sheet.dot(*at, 4, role)
        sheet.text(x + wide / 2, top - 18, said, "small")
        low = top + high * step + 14
        sheet.text(x + wide / 2, low, counts[stage], "small soft")
        x += wide + gap


def leaves_stay(sheet: Drawing) -> None:
    """Parameters: the same leaves under the graph of one name, and under that of the next."""
    leaves, middle = 5, 3
    left, right = 54, 440  # pixels
    for top, name, look, gone in ((22, "anna", "soft", True), (142, "emma", "", False)):
        results = [(190, top + 30 + 34 * i) for i in range(middle)]
        inner = [(310, top + 46 + 34 * i) for i in range(middle - 1)]
        last = (right, top + 64)
        edges = "soft dashed" if gone else "soft"
        layers = [[(left, 50 + 40 * i) for i in range(leaves)], results, inner, [last]]
        for before, after in pairwise(layers):
            for x0, y0 in before:
                for x1, y1 in after:
                    sheet.line([(x0 + 9, y0), (x1 - 9, y1)], edges)
        for x, y in (*results, *inner):
            sheet.dot(x, y, 8, f"activation ring {look}")
        sheet.dot(*last, 8, f"cost ring {look}")
        said = f"loss of {name}" + (", gone" if gone else "")
        sheet.text(right + 16, last[1] + 32, said, "small soft end")
    for i in range(leaves):
        sheet.dot(left, 50 + 40 * i, 9, "parameter")
    sheet.text(left, 250, "parameters", "parameter small strong")
