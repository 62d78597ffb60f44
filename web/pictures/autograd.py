"""The pictures of Step 2, in the order of its pages."""

import math

from microgpt import Value
from pictures.canvas import Canvas

NODE_RADIUS_PX = 27


def draw_computation_and_gradients(canvas: Canvas) -> None:
    """Draw numbers computed forward, and gradients computed backward."""
    a, b = Value(2.0), Value(3.0)
    c = a + b
    d = c * a
    d.backward()
    positions = {a: (60, 62), b: (60, 208), c: (240, 170), d: (420, 80)}
    for name, (node, (x, y)) in zip("abcd", positions.items(), strict=True):
        role = "activation" if node._children else "data"
        canvas.circle(x, y, NODE_RADIUS_PX, f"{role} ring")
        canvas.text(x, y + 6, f"{node.data:g}", f"{role} strong")
        canvas.text(x, y - 36, name, "small")
        canvas.text(x, y + 48, f"grad {node.grad:g}", "gradient small strong")
        for child in node._children:
            x0, y0 = positions[child]
            gap = (NODE_RADIUS_PX + 4) / math.dist((x, y), (x0, y0))  # outside
            dx, dy = gap * (x - x0), gap * (y - y0)
            canvas.arrow((x0 + dx, y0 + dy), (x - dx, y - dy))
    canvas.text(150, 222, "+", "large")
    canvas.text(330, 152, "×", "large")
    canvas.arrow((110, 20), (250, 20), "activation", line_width=2)
    canvas.label(262, 25, "compute", "activation")
    canvas.arrow((420, 262), (230, 262), "gradient", line_width=2)
    canvas.text(214, 267, "walk back", "gradient small end")


def draw_product_rule(canvas: Canvas) -> None:
    """Draw the product rule: a rectangle whose sides grow by a strip each."""
    a, b = 2, 3  # the sides
    scale, strip = 68, 20  # pixels for a unit, and the width of a strip
    x, y, width, height = 110, 16, scale * b, scale * a
    canvas.box(x, y, width, height, "activation", opacity=0.15)
    canvas.text(x + width / 2, y + height / 2 + 6, "a · b = 6", "activation strong")
    canvas.box(x, y + height, width, strip, "gradient", opacity=0.45)
    canvas.box(x + width, y, strip, height, "gradient", opacity=0.45)
    canvas.text(x - 14, y + height / 2 + 6, "a = 2", "data end")
    canvas.text(x + width / 2, y + height + 50, "b = 3", "data")
    canvas.label(x + width + 34, y + height / 2 - 8, "b grows:")
    canvas.text(x + width + 34, y + height / 2 + 14, "slope a", "gradient start")
    canvas.text(x - 14, y + height + 14, "a grows:", "small end")
    canvas.text(x - 14, y + height + 36, "slope b", "gradient end")


def draw_paths_through_one_node(canvas: Canvas) -> None:
    """Draw two times three edges that meet in one node: nine paths."""
    y, gap = 88, NODE_RADIUS_PX + 5
    centres = {"x": 70, "u": 260, "y": 450}
    for name, x in centres.items():
        canvas.circle(
            x, y, NODE_RADIUS_PX, f"{'data' if x == 70 else 'activation'} ring"
        )
        canvas.text(x, y + 6, name, "strong")
    for left, slopes in ((70, (1, 2, 3)), (260, (4, 5, 6))):
        for slope, bend in zip(slopes, (36, 0, -36), strict=True):
            height = y - bend / 4
            ends = (left + gap, height), (left + 190 - gap, height)
            canvas.arrow(*ends, bend=bend)
            label_y = height - bend + (22 if bend < 0 else -8)
            canvas.text(left + 95, label_y, slope, "gradient strong")
