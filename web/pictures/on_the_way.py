"""The second "m" of "emma" on its way through the model: every vector, as shades."""

from microgpt import load_model
from pictures.drawing import Drawing
from pictures.passes import passes

NAME, AT = "emma", 3  # the letter that is read, counted with BOS
LEFT, WIDE, HIGH, APART = 128, 292, 24, 44  # pixels
STAGES = (
    ("row of wte", "wte", "parameter"),
    ("row of wpe", "wpe", "parameter"),
    ("x", "x", "activation"),
    ("+ attention", "attended", "activation"),
    ("in the MLP", "active", "activation"),
    ("+ MLP", "end", "activation"),
    ("logits", "logits", "activation"),
    ("softmax", "chances", "cost"),
)


def draw() -> Drawing:
    """Draw each vector as a strip of the same width, however many numbers it has."""
    vectors = passes(NAME)[AT]
    sheet = Drawing(APART * len(STAGES) + 22)
    for row, (name, key, role) in enumerate(STAGES):
        y, numbers = 4 + APART * row, vectors[key]
        most = max(abs(number) for number in numbers)
        gap = 0.5 if len(numbers) > 30 else 1.5
        size, shades = (WIDE / len(numbers), HIGH + gap), [n / most for n in numbers]
        sheet.cells(LEFT, y, size, [shades], role, gap=gap)
        sheet.text(LEFT - 10, y + 17, name, "small end")
        sheet.text(LEFT + WIDE + 10, y + 17, len(numbers), "strong start")
    letters = [*load_model()[1].characters, "end"]
    for token in sorted(range(len(letters)), key=vectors["chances"].__getitem__)[-3:]:
        x = LEFT + (token + 0.5) * WIDE / len(letters)
        sheet.text(x, y + HIGH + 18, letters[token], "cost small strong")
    return sheet
