"""What RMSNorm lets through on the way back: the part of a slope across its row."""

from pictures.drawing import Drawing

ROW, SLOPE = (3.0, 1.0), (1.5, 2.5)
LEFT, LOW, UNIT = 130, 160, 52  # pixels


def draw() -> Drawing:
    """Draw the row, a slope, and its parts along the row and across it."""
    sheet = Drawing(190)
    share = sum(y * d for y, d in zip(ROW, SLOPE, strict=True)) / sum(
        y * y for y in ROW
    )
    along = (share * ROW[0], share * ROW[1])
    across = (SLOPE[0] - along[0], SLOPE[1] - along[1])
    begin = _at((0.0, 0.0))
    sheet.arrow(begin, _at((1.7 * ROW[0], 1.7 * ROW[1])), "data")
    sheet.text(*_beside(_at((1.7 * ROW[0], 1.7 * ROW[1]))), "y", "data")
    sheet.line([begin, _at(along)], "gradient thick dashed")
    sheet.arrow(begin, _at(SLOPE), "gradient")
    sheet.text(*_beside(_at(SLOPE)), "dy", "gradient")
    sheet.line([_at(along), _at(SLOPE)], "soft dashed")
    sheet.arrow(begin, _at(across), "cost")
    x, y = _at(across)
    sheet.text(x - 8, y - 10, "goes back", "cost small")
    x, y = _at(along)
    sheet.label(x + 10, y + 22, "undone by the norm", "soft")
    return sheet


def _at(point: tuple[float, float]) -> tuple[float, float]:
    return LEFT + UNIT * point[0], LOW - UNIT * point[1]


def _beside(point: tuple[float, float]) -> tuple[float, float]:
    return point[0] + 16, point[1] - 4
