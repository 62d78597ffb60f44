"""Four shares on their way to the die: heated, cut twice, and shared out again."""

from pictures.drawing import WIDTH, Drawing

SHARES = (0.4, 0.3, 0.2, 0.1)
STAGES = ("model", "temperature ½", "top-k 3", "top-p 0.8")
FLOOR, UNIT = 170, 190  # pixels


def draw() -> Drawing:
    """Draw four bars at each stage, and a cross where one is cut off."""
    squares = [p**2 for p in SHARES]
    sheet = Drawing(222)
    wide = WIDTH / len(STAGES)
    for stage, (said, kept) in enumerate(zip(STAGES, (4, 4, 3, 2), strict=True)):
        weights = list(squares if stage else SHARES)[:kept]
        left = wide * stage + 8
        sheet.line([(left, FLOOR), (left + wide - 16, FLOOR)], "soft")
        sheet.text(left + wide / 2 - 8, FLOOR + 42, said, "small strong")
        for i, letter in enumerate("abcd"):
            x = left + 2 + 26 * i
            sheet.text(x + 11, FLOOR + 20, letter, "small")
            if i >= kept:
                sheet.line([(x + 4, FLOOR - 18), (x + 18, FLOOR - 4)], "cost")
                sheet.line([(x + 4, FLOOR - 4), (x + 18, FLOOR - 18)], "cost")
                continue
            share = weights[i] / sum(weights)
            top = FLOOR - UNIT * share
            sheet.box(x, top, 22, FLOOR - top, "activation", strength=0.8 - 0.15 * i)
            sheet.text(x + 11, top - 6, f"{100 * share:.0f}", "small")
    return sheet
