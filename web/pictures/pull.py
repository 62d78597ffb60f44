"""The slopes of a loss in the logits: what was given, and what should have been."""

from pictures.drawing import Drawing
from pictures.records import recorded
from snippets.ready import shuffled
from snippets.step1 import forward, softmax

LETTERS = "aeiomn"
ACROSS, FLOOR, UP = 70, 170, 160  # pixels; UP for a probability of 1


def draw() -> Drawing:
    """Draw some chances that the trained network gives, with an arrow for each pull."""
    _, tokenizer = shuffled()
    learnt = recorded("step1-weights")
    row = softmax(forward(tokenizer.encode("m")[0], learnt))
    sheet = Drawing(262)
    sheet.line([(20, FLOOR), (460, FLOOR)], "soft")
    for i, letter in enumerate(LETTERS):
        x, p = 46 + ACROSS * i, row[tokenizer.encode(letter)[0]]
        top = FLOOR - UP * p
        sheet.box(x, top, 30, UP * p, "data", strength=0.5)
        sheet.text(x + 15, FLOOR + 22, letter, "strong")
        pull = f"{p - (letter == 'a'):+.2f}"
        if letter == "a":
            sheet.arrow((x + 15, top - 4), (x + 15, FLOOR - UP + 4), "gradient")
            sheet.text(x + 50, FLOOR - UP + 10, pull, "small")
        else:
            sheet.arrow((x + 15, FLOOR + 34), (x + 15, FLOOR + 38 + 60 * p), "gradient")
            sheet.text(x + 15, top - 8, pull, "small")
    sheet.text(240, 252, "some logits after an m: shares, and slopes", "small soft")
    return sheet
