"""Attention of one head for "maria": two products there, four back, drawn to scale."""

import inspect

from microgpt.engines.tape import Rows, columns, part, product, softmax_backward
from pictures.drawing import Drawing
from pictures.undone import read

CELL, GAP, RIGHT = 11, 22, 281  # pixels; the last: where a second product begins


def draw() -> Drawing:
    """Draw each product as three matrices, their numbers as strong as they are large."""
    tape = read("maria")
    tape.backward()
    (attend,) = (step for step in tape.undo if ".attend." in step.__qualname__)
    used = inspect.getclosurevars(attend).nonlocals
    a, scale, head = used["weights"][0], used["scale"], used["heads"][0]
    q, k, v = (part(used[name].data, head) for name in ("queries", "keys", "values"))
    y, dy = part(used["y"].data, head), part(used["y"].grad, head)
    da = product(dy, v)
    ds = [softmax_backward(*pair, scale) for pair in zip(a, da, strict=True)]
    sheet = Drawing(400)
    sheet.label(0, 16, "there", "strong")
    line(sheet, 1, 30, ("Q", q), ("Kᵀ", columns(k)), ("A", a))
    line(sheet, RIGHT, 30, ("A", a), ("V", v), ("y", y))
    sheet.text(188, 132, "softmax, mask", "attention small")
    sheet.label(0, 164, "back", "strong")
    line(sheet, 1, 178, ("dy", dy), ("Vᵀ", columns(v)), ("dA", da))
    dv, dk = product(columns(a), columns(dy)), product(columns(ds), columns(q))
    line(sheet, RIGHT, 178, ("Aᵀ", columns(a)), ("dy", dy), ("dV", dv))
    sheet.text(240, 288, "softmax's way back: from dA to dS", "attention small")
    line(sheet, 1, 306, ("dS", ds), ("K", k), ("dQ", product(ds, columns(k))))
    line(sheet, RIGHT, 306, ("dSᵀ", columns(ds)), ("Q", q), ("dK", dk))
    return sheet


def line(sheet: Drawing, left: float, top: float, *parts: tuple[str, Rows]) -> None:
    """Draw one matrix times another, and the result."""
    for i, (name, matrix) in enumerate(parts):
        role = {"d": "gradient", "A": "attention"}.get(name[0], "activation")
        if i:
            sheet.text(left + GAP / 2, top + 54, "·" if i == 1 else "=", "small")
            left += GAP
        wide = CELL * len(matrix[0])
        sheet.text(left + wide / 2, top + 12, name, f"{role} small")
        largest = max(abs(x) for row in matrix for x in row)
        shares = [[abs(x) / largest for x in row] for row in matrix]
        sheet.cells(left, top + 20, (CELL, CELL), shares, role, gap=0)
        left += wide
