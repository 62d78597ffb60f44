"""How likely a name is to end after each of its letters: for a GPT, and for a table."""

from microgpt import load_model, softmax
from pictures.drawing import WIDTH, Drawing
from snippets.ready import counted
from snippets.step0 import probabilities

NAME = "marianna"
FLOOR, UNIT = 168, 160  # pixels


def draw() -> Drawing:
    """Draw two bars at each letter: the GPT's chance that it's the last, and the table's."""
    model, tokenizer = load_model()
    _, _, counts = counted()
    cache = model.new_cache()
    model.forward(tokenizer.bos, cache)
    sheet = Drawing(232)
    wide = WIDTH / len(NAME)
    sheet.line([(0, FLOOR), (WIDTH, FLOOR)], "soft")
    for place, token in enumerate(tokenizer.encode(NAME)):
        p = softmax(model.forward(token, cache))[tokenizer.bos].data
        q = probabilities(token, counts)[tokenizer.bos]
        middle = wide * (place + 0.5)
        for x, share, role in ((-23, p, "attention"), (2, q, "data")):
            high = UNIT * share
            sheet.box(middle + x, FLOOR - high, 21, high, role, strength=0.75)
            said = f"{100 * share:.0f}"
            sheet.text(middle + x + 10, FLOOR - high - 6, said, f"{role} small")
        sheet.text(middle, FLOOR + 26, NAME[place], "large")
    for x, said, role in ((20, "GPT", "attention"), (110, "table of pairs", "data")):
        sheet.box(x, FLOOR + 45, 14, 14, role, strength=0.75)
        sheet.label(x + 22, FLOOR + 57, said, role)
    return sheet
