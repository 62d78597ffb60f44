"""The order of a walk: what a receives from b in three walks, part by part."""

from pictures.drawing import Drawing

UNIT = 44  # pixels for a gradient of 1
# What reaches a from b's two edges, in the order in which it comes, and which of it is
# too early or a repetition.
WALKS = (
    ("edge by edge", (1, 1, 2, 2), (0, 1)),
    ("node by node", (2, 2, 2, 2), (2, 3)),
    ("in order", (2, 2), ()),
)


def draw() -> Drawing:
    """Draw a bar for each walk: the parts that arrive at a, and their sum."""
    sheet = Drawing(226)
    for i, (name, parts, extra) in enumerate(WALKS):
        y = 34 + 66 * i
        sheet.label(12, y - 8, name)
        x = 12.0
        for j, part in enumerate(parts):
            role = "gradient" if j in extra else "activation"
            sheet.box(x, y, UNIT * part - 3, 30, role, strength=0.4)
            sheet.text(x + UNIT * part / 2 - 1, y + 21, f"{part}", "small")
            x += UNIT * part
        role = "gradient" if extra else "activation"
        sheet.text(x + 12, y + 22, f"= {sum(parts)}", f"{role} start")
    return sheet
