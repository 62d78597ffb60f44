"""Two hidden units, each bent at 0: together they make a line with a corner."""

from pictures.drawing import Drawing

HALF, UNIT, FLOOR = 60, 26, 120  # pixels; UNIT for each unit of the input
REACH = 2.2


def draw() -> Drawing:
    """Draw both units and their sum, side by side."""
    sheet = Drawing(160)
    shapes = (
        (72, "max(0, x)", "activation", ((-1, 0.0), (0, 0.0), (1, 1.0))),
        (240, "max(0, −x)", "activation", ((-1, 1.0), (0, 0.0), (1, 0.0))),
        (408, "their sum", "cost", ((-1, 1.0), (0, 0.0), (1, 1.0))),
    )
    for middle, said, role, corners in shapes:
        sheet.line([(middle - HALF, FLOOR), (middle + HALF, FLOOR)], "soft")
        places = [
            (middle + x * REACH * UNIT, FLOOR - y * REACH * UNIT) for x, y in corners
        ]
        sheet.line(places, f"{role} thick")
        sheet.text(middle, 150, said, f"{role} small")
    sheet.text(156, 92, "+", "large")
    sheet.text(324, 92, "=", "large")
    return sheet
