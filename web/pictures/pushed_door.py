"""What RMSNorm lets through on the way back: the part of a slope across its row."""

from operator import mul

from pictures.chart import Axis, Chart

ROW, SLOPE = (3.0, 1.0), (1.5, 2.5)
X, Y = Axis(0, 1, 130, 182), Axis(0, 1, 160, 108)


def draw() -> Chart:
    """Draw the row, a slope, and its parts along the row and across it."""
    sheet = Chart(190, X, Y)
    share = sum(map(mul, ROW, SLOPE)) / sum(map(mul, ROW, ROW))
    along = share * ROW[0], share * ROW[1]
    begin, middle, slope = sheet.at(0, 0), sheet.at(*along), sheet.at(*SLOPE)
    row = sheet.at(1.7 * ROW[0], 1.7 * ROW[1])
    for end, said, role in ((row, "y", "data"), (slope, "dy", "gradient")):
        sheet.arrow(begin, end, role)
        sheet.text(end[0] + 16, end[1] - 4, said, role)
    sheet.line([begin, middle], "gradient thick dashed")
    sheet.line([middle, slope], "soft dashed")
    x, y = sheet.at(SLOPE[0] - along[0], SLOPE[1] - along[1])
    sheet.arrow(begin, (x, y), "cost")
    sheet.text(x - 8, y - 10, "goes back", "cost small")
    sheet.label(middle[0] + 10, middle[1] + 22, "undone by the norm", "soft")
    return sheet
