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
        sheet.block(middle - 38, 62, 76, 46, f"head {head}", f"{role} small", down=-4)
        first = head * width
        said = f"{first}–{first + width - 1}"
        sheet.text(middle, 99, said, f"{role or 'soft'} small")
        sheet.arrow((middle, 110), (middle, 130), role)
        sheet.arrow((middle, 168), (middle, 194), role)
    wide = heads * lane - GAP
    sheet.block(
        LEFT, 196, wide, 40, "wo: every lane into every number", "parameter small"
    )
    sheet.arrow((LEFT + wide / 2, 238), (LEFT + wide / 2, 266), "attention")
    return sheet
