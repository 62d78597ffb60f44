"""What the tape notes while it reads "emma", with the shape of each result."""

import inspect

from microgpt import load_model
from microgpt.engines.lists import logits, numbers, pairs
from microgpt.engines.tape import Tape
from pictures.drawing import Drawing

ROW = 21  # pixels
ROLES = {"linear": "parameter", "rows": "data", "attend": "attention", "loss": "cost"}


def read(name: str) -> Tape:
    """Return what the tape of the trained model holds after the loss of a name."""
    model, tokenizer = load_model()
    tape = Tape()
    inputs, targets = pairs(model, tokenizer.document(name))
    tape.loss(logits(tape, model, numbers(model), inputs), targets)
    return tape


def draw() -> Drawing:
    """Draw the notes in the order in which they were made, and both ways through."""
    tape = read("emma")
    bottom = 30 + ROW * len(tape.undo)
    sheet = Drawing(bottom + 14)
    sheet.text(70, 16, "compute", "activation small")
    sheet.text(420, 16, "undo", "gradient small")
    sheet.arrow((70, 28), (70, bottom - 4), "activation", weight=2.5)
    sheet.arrow((420, bottom - 4), (420, 28), "gradient", weight=2.5)
    for row, step in enumerate(tape.undo):
        name = step.__qualname__.split(".")[1]
        y, role = 30 + ROW * row, ROLES.get(name, "activation")
        sheet.box(136, y - 12, 216, ROW - 3, role)
        sheet.label(146, y + 1, name, role)
        made = inspect.getclosurevars(step).nonlocals.get("y")
        size = f"{len(made.data)} × {len(made.data[0])}" if made else "one number"
        sheet.text(342, y + 1, size, "small soft end")
    return sheet
