"""Forward mode and reverse mode: what a walk from one end of a graph reaches."""

from pictures.drawing import Drawing

INPUTS, MIDDLES = 4, 2
SIDES = (
    (20, "forward", "finds 1 slope of 4", True),
    (270, "reverse", "finds all 4", False),
)


def draw() -> Drawing:
    """Draw a graph twice: reached from one input, and reached from the output."""
    sheet = Drawing(250)
    for left, title, said, forward in SIDES:
        ins = [(left + 12, 60 + 44 * i) for i in range(INPUTS)]
        mids = [(left + 95, 82 + 88 * i) for i in range(MIDDLES)]
        out = (left + 178, 126)
        edges = [(p, mids[i // 2]) for i, p in enumerate(ins)]
        edges += [(mid, out) for mid in mids]
        reached = {ins[0], mids[0], out} if forward else {*ins, *mids, out}
        for start, end in edges:
            (x0, y0), (x1, y1) = (start, end) if forward else (end, start)
            near, far = (
                (x0 + share * (x1 - x0), y0 + share * (y1 - y0))
                for share in (0.22, 0.8)
            )
            if {start, end} <= reached:
                sheet.arrow(near, far, "gradient", weight=2)
            else:
                sheet.line([near, far], "soft")
        for point in (*ins, *mids, out):
            role = "cost" if point == out else "parameter" if point in ins else ""
            ring = "" if point in reached else "ring"
            sheet.dot(*point, 10, f"{role} {ring}")
        sheet.text(left + 95, 24, title, "strong")
        sheet.text(left + 95, 238, said, "gradient small")
    return sheet
