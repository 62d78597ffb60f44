"""Forward mode and reverse mode: what a walk from one end of a graph reaches."""

from pictures.drawing import Drawing

INPUTS, MIDDLES = 4, 2


def draw() -> Drawing:
    """Draw a graph twice: reached from one input, and reached from the output."""
    sheet = Drawing(250)
    for left, forward in ((20, True), (270, False)):
        ins = [(left + 12, 60 + 44 * i) for i in range(INPUTS)]
        mids = [(left + 95, 82 + 88 * i) for i in range(MIDDLES)]
        out = (left + 178, 126)
        edges = [(p, mids[i // 2]) for i, p in enumerate(ins)]
        edges += [(mid, out) for mid in mids]
        reached = {ins[0], mids[0], out} if forward else {*ins, *mids, out}
        for start, end in edges:
            lit = start in reached and end in reached
            way = (start, end) if forward else (end, start)
            (x0, y0), (x1, y1) = way
            a = (x0 + 0.22 * (x1 - x0), y0 + 0.22 * (y1 - y0))
            b = (x0 + 0.8 * (x1 - x0), y0 + 0.8 * (y1 - y0))
            if lit:
                sheet.arrow(a, b, "gradient", weight=2)
            else:
                sheet.line([a, b], "soft")
        for point in (*ins, *mids, out):
            role = "cost" if point == out else "parameter" if point in ins else ""
            ring = "" if point in reached else "ring"
            sheet.dot(*point, 10, f"{role} {ring}")
        title = "forward" if forward else "reverse"
        sheet.text(left + 95, 24, title, "strong")
        said = "finds 1 slope of 4" if forward else "finds all 4"
        sheet.text(left + 95, 238, said, "gradient small")
    return sheet
