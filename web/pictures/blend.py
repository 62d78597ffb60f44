"""A weighted average: three keys, their scores, their shares, and the values they mix."""

from microgpt import Value, dot, softmax
from pictures.drawing import Drawing

QUERY = (2.0, 0.0)
KEYS = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
VALUES = ((1.0, 5.0), (2.0, 5.0), (4.0, 5.0))
TOP, ROW = 52, 46  # pixels
SHARE, BAR = 232, 96


def draw() -> Drawing:
    """Draw a row for each letter, from its key to its share, and the blend of values."""
    query = [Value(q) for q in QUERY]
    scores = [dot(query, [Value(k) for k in key]) * len(query) ** -0.5 for key in KEYS]
    shares = [share.data for share in softmax(scores)]
    sheet = Drawing(268)
    heads = ((52, "key", "parameter"), (150, "score", ""), (280, "weight", "attention"))
    for x, said, role in (*heads, (410, "value", "activation")):
        sheet.text(x, 28, said, f"{role} small")
    rows = zip(KEYS, scores, shares, VALUES, strict=True)
    for i, (key, score, share, value) in enumerate(rows):
        y = TOP + ROW * i
        sheet.block(8, y - 6, 88, 32, f"{key[0]:g}, {key[1]:g}", "parameter")
        sheet.text(150, y + 15, f"{score.data:.2f}")
        sheet.box(SHARE, y - 4, BAR, 26, "soft")
        sheet.box(SHARE, y - 4, BAR * share, 26, "attention", strength=0.45)
        sheet.text(SHARE + BAR / 2, y + 15, f"{share:.2f}", "strong")
        sheet.block(366, y - 6, 88, 32, f"{value[0]:g}, {value[1]:g}", "activation")
    blend = [
        sum(map(float.__mul__, shares, column)) for column in zip(*VALUES, strict=True)
    ]
    sheet.line([(8, 190), (454, 190)], "soft")
    sheet.text(52, 230, f"{QUERY[0]:g}, {QUERY[1]:g}", "attention strong")
    sheet.text(52, 254, "query", "attention small")
    sheet.arrow((300, 225), (354, 225), "activation", weight=2)
    sheet.text(410, 230, f"{blend[0]:.2f}, {blend[1]:.2f}", "activation strong")
    sheet.text(410, 254, "blend", "activation small")
    return sheet
