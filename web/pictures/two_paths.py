"""A network of two inputs, two hidden units and an output: values, and slopes back."""

from pictures.drawing import Drawing

X, H, OUT = (70, 240, 410)  # pixels from the left
ROWS = (60, 190)


def draw() -> Drawing:
    """Draw the network of the chain rule's page, with what flows forward and back."""
    sheet = Drawing(262)
    edges = (
        (X, 0, H, 0, "1", 0.3),
        (X, 1, H, 0, "2", 0.25),
        (X, 0, H, 1, "3", 0.25),
        (X, 1, H, 1, "1", 0.3),
    )
    for x0, i, x1, j, weight, share in edges:
        start, end = (x0 + 26, ROWS[i]), (x1 - 28, ROWS[j])
        sheet.arrow(start, end, "parameter", weight=1.5)
        x = start[0] + (end[0] - start[0]) * share
        y = start[1] + (end[1] - start[1]) * share - 7
        sheet.text(x, y, weight, "parameter small")
    for j, weight in enumerate(("5", "4")):
        start, end = (H + 26, ROWS[j]), (OUT - 28, 125)
        sheet.arrow(start, end, "parameter", weight=1.5)
        middle = (ROWS[j] + 125) / 2
        sheet.text((H + OUT) / 2, middle - 8, weight, "parameter small")
    nodes = (
        (X, ROWS[0], "2", "slope 17", "data"),
        (X, ROWS[1], "1", "slope 14", "data"),
        (H, ROWS[0], "4", "slope 5", "activation"),
        (H, ROWS[1], "7", "slope 4", "activation"),
        (OUT, 125, "48", "slope 1", "cost"),
    )
    for x, y, value, slope, role in nodes:
        sheet.dot(x, y, 24, f"{role} ring")
        sheet.text(x, y + 6, value, f"{role} strong")
        sheet.text(x, y + 46, slope, "gradient small")
    sheet.text(X, 24, "a and b", "data small")
    sheet.text(H, 24, "g and h", "activation small")
    sheet.text(OUT, 88, "out", "cost small")
    return sheet
