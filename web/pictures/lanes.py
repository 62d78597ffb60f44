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
    wide, size = heads * lane - GAP, (CELL, 30)
    for y, name in ((8, "query"), (136, "gathered")):
        sheet.label(4, y + 19, name)
        for head in range(heads):
            role, shade = ("activation", 0.18) if head else ("attention", 0.75)
            sheet.cells(LEFT + head * lane, y, size, [[shade] * width], role, gap=2)
    sheet.label(4, 291, "output")
    whole = [[0.75] * sizes.n_embd]
    sheet.cells(LEFT + GAP * 1.5, 272, size, whole, "attention", gap=2)
    for head in range(heads):
        middle = LEFT + head * lane + CELL * width / 2
        role = "attention" if head == 0 else ""
        sheet.arrow((middle, 40), (middle, 60), role)
        sheet.block(middle - 38, 62, 76, 46, f"head {head}", f"{role} small", down=-4)
        said = f"{head * width}–{head * width + width - 1}"
        sheet.text(middle, 99, said, f"{role or 'soft'} small")
        sheet.arrow((middle, 110), (middle, 130), role)
        sheet.arrow((middle, 168), (middle, 194), role)
    said = "wo: every lane into every number"
    sheet.block(LEFT, 196, wide, 40, said, "parameter small")
    sheet.arrow((LEFT + wide / 2, 238), (LEFT + wide / 2, 266), "attention")
    return sheet
