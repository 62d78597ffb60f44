"""A linear layer's two ways back, in numbers: what meets to make one entry of each."""

from microgpt.engines.tape import Matrix, Rows, Tape
from pictures.drawing import Drawing

X, W = [[1.0, 2.0], [0.0, 1.0], [5.0, -1.0]], [[3.0, -4.0], [1.0, 1.0]]
DY = [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]
WIDE, HIGH = 36, 28  # pixels
EVERY = range(3)


def draw() -> Drawing:
    """Draw dW and dx, each beside what it is made of."""
    tape, x, w = Tape(), Matrix(X), Matrix(W)
    y = tape.linear(x, w)
    y.grad = DY
    tape.backward()
    sheet = Drawing(292)
    rows = (
        (
            34,
            ("dy", DY, (EVERY, [0])),
            ("x", X, (EVERY, [1])),
            ("dW", w.grad, ([0], [1])),
        ),
        (
            186,
            ("dy", DY, ([2], EVERY)),
            ("W", W, (EVERY, [0])),
            ("dx", x.grad, ([2], [0])),
        ),
    )
    for top, one, other, result in rows:
        for left, (name, matrix, marked) in zip((30, 172, 356), (one, other, result)):
            role = {"x": "data", "W": "parameter"}.get(name, "gradient")
            sheet.text(left + WIDE, top - 10, name, f"{role} strong")
            cells(sheet, left, top, matrix, role, marked)
        said = "dyᵀ · x" if one[2][0] is EVERY else "dy · W"
        sheet.text(301, top + 26, said, "small soft")
        sheet.arrow((268, top + 42), (334, top + 42), "gradient", weight=2)
    return sheet


def cells(
    sheet: Drawing,
    left: float,
    top: float,
    matrix: Rows,
    role: str,
    marked: tuple[range | list[int], range | list[int]],
) -> None:
    """Draw a matrix, some of its numbers marked."""
    for i, row in enumerate(matrix):
        for j, number in enumerate(row):
            x, y = left + WIDE * j, top + HIGH * i
            if i in marked[0] and j in marked[1]:
                sheet.cells(x, y, (WIDE, HIGH), [[0.3]], role, gap=0)
            else:
                sheet.box(x, y, WIDE, HIGH, "soft")
            sheet.text(x + WIDE / 2, y + 19, f"{number:g}", "small")
