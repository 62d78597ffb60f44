"""The row of "q" as probabilities: as counted, and with 1 added to every count."""

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities


def draw() -> Drawing:
    """Draw the row twice, on one scale."""
    _, tokenizer, counts = counted()
    (q,) = tokenizer.encode("q")
    sheet = Drawing(306)
    rows = [probabilities(q, counts, smoothing) for smoothing in (0, 1)]
    highest = max(rows[0])
    step = (WIDTH - 10) / len(rows[0])
    for top, title, row in zip((0, 150), ("as counted", "plus 1"), rows, strict=True):
        sheet.text(WIDTH - 8, top + 24, title, "strong end")
        for token, p in enumerate(row):
            x, height = 5 + token * step, 100 * p / highest
            letter = "." if token == tokenizer.bos else tokenizer.characters[token]
            place = x + 1, top + 128 - height, step - 2, height
            sheet.box(*place, "data", strength=0.75)
            sheet.text(x + step / 2, top + 145, letter, "small" if p else "small soft")
    return sheet
