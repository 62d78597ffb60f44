"""The file that holds the whole model: its pieces, as tall as they are long."""

from __future__ import annotations

import re
from pathlib import Path

from pictures.drawing import Drawing

FILE = Path(__file__).parents[2] / "docs/downloads/microgpt.py"
PIECE = re.compile(r"(?:class|def) (\w+)")
COLUMNS, WIDE, APART, LINE, TOP = 4, 108, 118, 2.3, 6  # pixels, but for the columns
STEPS = {  # which step explains it, and the colour of that step
    0: ("data", "load_names Tokenizer"),
    1: ("parameter", "linear softmax linear_decay"),
    2: ("gradient", "Value topological_order"),
    3: ("attention", "gaussian_matrix dot rmsnorm Cache attend"),
    4: ("activation", "Config GPT document_loss train"),
    5: ("cost", "Adam"),
    6: ("", "sample main"),
}


def draw() -> Drawing:
    """Draw a box for each piece, and the steps below in their colours."""
    lines = FILE.read_text("utf-8").splitlines()
    found = [(n, m[1]) for n, line in enumerate(lines) if (m := PIECE.match(line))]
    ends = [begin for begin, _ in found[1:]] + [len(lines)]
    pieces = [(0, found[0][0], "imports")]
    pieces += [
        (*span, name)
        for (span, name) in zip(zip([b for b, _ in found], ends), [n for _, n in found])
    ]
    tall = -(-len(lines) // COLUMNS)
    sheet = Drawing(TOP + LINE * tall + 44)
    for begin, end, name in pieces:
        step, role = next(
            ((s, r) for s, (r, names) in STEPS.items() if name in names.split()),
            (None, ""),
        )
        for column in range(begin // tall, (end - 1) // tall + 1):
            top, low = max(begin, column * tall), min(end, (column + 1) * tall)
            x, y = 4 + APART * column, TOP + LINE * (top - column * tall)
            high = LINE * (low - top) - 2
            sheet.box(x, y, WIDE, high, role, strength=0.08 if step is None else 0.45)
            if high > 14:
                said = name if top == begin else f"{name}, on"
                sheet.text(x + WIDE / 2, y + high / 2 + 4, said, look="small")
    for step, (role, _) in STEPS.items():
        x, y = 4 + 68 * step, TOP + LINE * tall + 20
        sheet.box(x, y, 14, 14, role, strength=0.45)
        sheet.text(x + 20, y + 12, f"Step {step}", look="small", anchor="start")
    return sheet
