"""The product rule: a rectangle whose sides grow by a strip each."""

from pictures.drawing import Drawing

A, B = 2, 3  # the sides
SCALE, STRIP = 68, 20  # pixels for a unit, and the width of a strip


def draw() -> Drawing:
    """Draw a rectangle with sides a and b, and the strip that each side gains."""
    sheet = Drawing(220)
    x, y, wide, high = 110, 16, SCALE * B, SCALE * A
    sheet.box(x, y, wide, high, "activation", strength=0.15)
    sheet.text(x + wide / 2, y + high / 2 + 6, "a · b = 6", "activation strong")
    sheet.box(x, y + high, wide, STRIP, "gradient", strength=0.45)
    sheet.box(x + wide, y, STRIP, high, "gradient", strength=0.45)
    sheet.text(x - 14, y + high / 2 + 6, "a = 2", "data end")
    sheet.text(x + wide / 2, y + high + 50, "b = 3", "data")
    sheet.label(x + wide + 34, y + high / 2 - 8, "b grows:")
    sheet.text(x + wide + 34, y + high / 2 + 14, "slope a", "gradient start")
    sheet.text(x - 14, y + high + 14, "a grows:", "small end")
    sheet.text(x - 14, y + high + 36, "slope b", "gradient end")
    return sheet
