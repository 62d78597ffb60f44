"""A batch: names below one another, padded to the longest, and what each row weighs."""

from fractions import Fraction

from pictures.drawing import Drawing
from snippets.ready import shuffled

COUNT, LEFT, ROW, TOP = 4, 8, 40, 38  # how many names; pixels


def draw() -> Drawing:
    """Draw what is read, letter by letter, and the share of each letter in the loss."""
    names = sorted(shuffled()[0][:COUNT], key=len)
    longest = len(names[-1]) + 1
    cell = 360 / longest
    sheet = Drawing(TOP + ROW * COUNT + 34)
    sheet.label(LEFT, 18, "read", "soft")
    sheet.text(476, 18, "each weighs", "cost small end")
    for row, name in enumerate(names):
        y = TOP + ROW * row
        for i in range(longest):
            x = LEFT + cell * i
            if i > len(name):
                sheet.box(x, y, cell - 3, 30, "soft dashed")
                sheet.text(x + (cell - 3) / 2, y + 20, "·", "soft")
            else:
                sheet.block(x, y, cell - 3, 30, "^" if i == 0 else name[i - 1], "data")
        share = Fraction(1, COUNT * (len(name) + 1))
        sheet.text(476, y + 20, share, "cost end")
    sheet.label(LEFT, TOP + ROW * COUNT + 20, "dashed: padding, which weighs 0", "soft")
    return sheet
