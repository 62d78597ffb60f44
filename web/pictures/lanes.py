"""A vector in four lanes: each head has four numbers, and only wo lets them meet."""

from microgpt import Config
from pictures.drawing import Drawing

LEFT, CELL, GAP = 112, 19, 14  # pixels


def draw() -> Drawing:
    """Draw what a change in the first lane reaches: four numbers, and after wo all."""
    sizes = Config()
    heads, width = sizes.n_head, sizes.head_dim
    lane = CELL * width + GAP
    sheet = Drawing(316)
    for y, name in ((8, "query"), (136, "gathered"), (272, "output")):
        sheet.label(4, y + 19, name)
        for place in range(sizes.n_embd):
            head, i = divmod(place, width)
            lit = head == 0 or name == "output"
            x: float = LEFT + head * lane + i * CELL
            if name == "output":
                x = LEFT + GAP * 1.5 + place * CELL
            role = "attention" if lit else "activation"
            sheet.box(x, y, CELL - 2, 28, role, strength=0.75 if lit else 0.18)
    for head in range(heads):
        middle = LEFT + head * lane + CELL * width / 2
        role = "attention" if head == 0 else ""
        sheet.arrow((middle, 40), (middle, 60), role)
        sheet.box(middle - 38, 62, 76, 46, role)
        sheet.text(middle, 81, f"head {head}", role, look="small")
        first = head * width
        said = f"{first}–{first + width - 1}"
        sheet.text(middle, 99, said, role, look="small" if head == 0 else "small soft")
        sheet.arrow((middle, 110), (middle, 130), role)
        sheet.arrow((middle, 168), (middle, 194), role)
    wide = heads * lane - GAP
    sheet.box(LEFT, 196, wide, 40, "parameter")
    sheet.text(
        LEFT + wide / 2,
        221,
        "wo: every lane into every number",
        "parameter",
        look="small",
    )
    sheet.arrow((LEFT + wide / 2, 238), (LEFT + wide / 2, 266), "attention")
    return sheet
