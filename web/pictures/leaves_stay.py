"""Parameters: the same leaves under the graph of one name, and under that of the next."""

from itertools import pairwise

from pictures.drawing import Drawing

LEAVES, MIDDLE = 5, 3
LEFT, RIGHT = 54, 440  # pixels


def draw() -> Drawing:
    """Draw the parameters once, and a graph on either side of them."""
    sheet = Drawing(262)
    for top, name, look, gone in ((22, "anna", "soft", True), (142, "emma", "", False)):
        results = [(190, top + 30 + 34 * i) for i in range(MIDDLE)]
        inner = [(310, top + 46 + 34 * i) for i in range(MIDDLE - 1)]
        last = (RIGHT, top + 64)
        layers = [[(LEFT, 50 + 40 * i) for i in range(LEAVES)], results, inner, [last]]
        for before, after in pairwise(layers):
            for x0, y0 in before:
                for x1, y1 in after:
                    sheet.line(
                        [(x0 + 9, y0), (x1 - 9, y1)], "soft dashed" if gone else "soft"
                    )
        for x, y in (*results, *inner):
            sheet.dot(x, y, 8, f"activation ring {look}")
        sheet.dot(*last, 8, f"cost ring {look}")
        said = f"loss of {name}" + (", gone" if gone else "")
        sheet.text(RIGHT + 16, last[1] + 32, said, "small soft end")
    for i in range(LEAVES):
        sheet.dot(LEFT, 50 + 40 * i, 9, "parameter")
    sheet.text(LEFT, 250, "parameters", "parameter small strong")
    return sheet
