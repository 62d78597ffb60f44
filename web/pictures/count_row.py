"""One row of the count table as bars: what came after "m" in the names that were read."""

from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted

ROW = "m"


def draw() -> Drawing:
    """Draw the row of "m", after as many names as the program reads."""
    _, tokenizer, counts = counted()
    (token,) = tokenizer.encode(ROW)
    row = counts[token]
    sheet = Drawing(178)
    step = (WIDTH - 10) / len(row)
    for place, count in enumerate(row):
        x = 5 + place * step
        height = 120 * count / max(row)
        sheet.box(x + 1, 150 - height, step - 2, height, "data", strength=0.75)
        letter = "." if place == tokenizer.bos else tokenizer.characters[place]
        sheet.text(x + step / 2, 168, letter, "small")
        if count >= max(row) / 4:
            sheet.text(x + step / 2, 144 - height, count, "data small strong")
    return sheet
