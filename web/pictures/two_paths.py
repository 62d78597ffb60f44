"""A network of two inputs, two hidden units and an output: values, and slopes back."""

from pictures.drawing import Drawing

X, H, OUT = (70, 240, 410)  # pixels from the left
ROWS = (60, 190)


def draw() -> Drawing:
    """Draw the network of the chain rule's page, with what flows forward and back."""
    sheet = Drawing(262)
    top, low = ROWS
    top, low = ROWS
    edges = (  # from, to, weight, and where that stands
        (X, top, H, top, "1", 130.8, 53),
        (X, low, H, top, "2", 125, 150.5),
        (X, top, H, low, "3", 125, 85.5),
        (X, low, H, low, "1", 130.8, 183),
        (H, top, OUT, 125, "5", 325, 84.5),
        (H, low, OUT, 125, "4", 325, 149.5),
    )
    for x0, y0, x1, y1, weight, x, y in edges:
        sheet.arrow((x0 + 26, y0), (x1 - 28, y1), "parameter")
        sheet.text(x, y, weight, "parameter small")
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
