"""A nudge: two points of a real loss, and the slope of the line through them."""

from __future__ import annotations

from pictures.drawing import Drawing
from snippets.ready import untrained
from snippets.step1 import mean_loss

LEAST, MOST = -20.0, 40.0  # of the parameter that is moved
AT, FAR = -4.0, 26.0
LEFT, ACROSS, TOP, DOWN = 20, 440, 24, 180  # pixels


def draw() -> Drawing:
    """Draw the loss of "emma" along a parameter, a long nudge and a short one."""
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("emma")
    row, column = weights["wte"][tokens[2]], 13

    def loss(value: float) -> float:
        row[column] = value
        return mean_loss(tokens, weights)

    values = [LEAST + (MOST - LEAST) * i / 120 for i in range(121)]
    losses = [loss(value) for value in values]
    low, high = min(losses), max(losses)

    def place(value: float, height: float) -> tuple[float, float]:
        x = LEFT + ACROSS * (value - LEAST) / (MOST - LEAST)
        return x, TOP + DOWN * (high - height) / (high - low)

    here = loss(AT)
    sheet = Drawing(256)
    sheet.line(
        [place(v, height) for v, height in zip(values, losses, strict=True)],
        look="thick soft",
    )
    for nudge, look in ((FAR - AT, "dashed"), (0.01, "thick")):
        slope = (loss(AT + nudge) - here) / nudge
        ends = [(v, here + slope * (v - AT)) for v in (AT - 12, FAR + 6)]
        role = "gradient" if nudge < 1 else "data"
        sheet.line([place(*end) for end in ends], role, look=look)
    sheet.dot(*place(AT, here), 6, "parameter")
    sheet.dot(*place(FAR, loss(FAR)), 5, "data")
    sheet.text(330, 70, "a long nudge", "data", look="small", anchor="end")
    sheet.text(350, 214, "a tiny nudge: the slope here", "gradient", look="small")
    sheet.text(LEFT, 244, "one parameter", "parameter", look="small", anchor="start")
    return sheet
