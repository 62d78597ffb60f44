"""Four trained heads, one asking letter: where each of them looks, in "lena"."""

from pictures.drawing import Drawing
from pictures.lena import look_back, looks

READ, HEADS = "len", 4  # the letter that asks is the last
FIRST, APART, HIGH = 132, 100, 116  # pixels


def draw() -> Drawing:
    """Draw the tokens once for each head, with an arrow as thick as its weight."""
    sheet = Drawing(HIGH * HEADS)
    for head, weights in enumerate(looks(READ, HEADS)[-HEADS:]):
        row = HIGH * head + 58
        places = [FIRST + APART * i for i in range(len(weights))]
        sheet.text(8, row + 21, f"head {head}", "attention strong start")
        look_back(sheet, places, row - 3, weights, 10)
        for x, said, weight in zip(places, ["start", *READ], weights, strict=True):
            last, most = x == places[-1], weight == max(weights)
            role = "attention" if last else "data"
            look = "small" if said == "start" else ""
            sheet.block(x - 26, row, 52, 30, said, f"{role} {look}", down=6)
            look = "small strong" if most else "small"
            sheet.text(x, row + 48, f"{weight:.2f}", f"attention {look}")
    return sheet
