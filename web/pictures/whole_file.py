"""The file that holds the whole model: its pieces, as tall as they are long."""

import re
from itertools import pairwise
from pathlib import Path

from pictures.drawing import Drawing

FILE = Path(__file__).parents[2] / "docs/downloads/microgpt.py"
PIECE = re.compile(r"(?:class|def) (\w+)")
COLUMNS, WIDE, APART, LINE, TOP = 3, 150, 158, 2.8, 6  # pixels, but for the columns
STEPS = (  # the colour of each step, and what it explains
    ("data", "load_names Tokenizer"),
    ("parameter", "linear_decay"),
    ("gradient", "Value topological_order gaussian_matrix dot linear softmax"),
    ("attention", "rmsnorm Cache attend"),
    ("activation", "Config GPT"),
    ("cost", "Adam document_loss train"),
    ("", "imports sample main"),
)


def draw() -> Drawing:
    """Draw a box for each piece, and the steps below in their colours."""
    lines = FILE.read_text("utf-8").splitlines()
    found = [(n, m[1]) for n, line in enumerate(lines) if (m := PIECE.match(line))]
    pieces = [(0, "imports"), *found, (len(lines), "")]
    tall = -(-len(lines) // COLUMNS)
    sheet = Drawing(TOP + LINE * tall + 40)
    for (begin, name), (end, _) in pairwise(pieces):
        role = next(role for role, names in STEPS if name in names.split())
        for column in range(begin // tall, (end - 1) // tall + 1):
            top, low = max(begin, column * tall), min(end, (column + 1) * tall)
            x, y = 4 + APART * column, TOP + LINE * (top - column * tall)
            high = LINE * (low - top) - 2
            sheet.box(x, y, WIDE, high, role, strength=0.45 if role else 0.1)
            if high > 17:
                said = name if top == begin else f"rest of {name}"
                sheet.text(x + WIDE / 2, y + high / 2 + 5, said, "small")
    y = TOP + LINE * tall + 18
    sheet.label(4, y + 12, "Step")
    for step, (role, _) in enumerate(STEPS):
        x = 60 + 60 * step
        sheet.box(x, y, 14, 14, role, strength=0.45 if role else 0.1)
        sheet.label(x + 19, y + 12, step)
    return sheet
