"""What attention costs, plain and in tiles, as its authors measured it."""

from pictures.drawing import Drawing

# Dao and others, 2022, figure 2: GPT-2 medium on an A100, forward and back
COSTS = (
    ("arithmetic (GFLOP)", 66.6, 75.2),
    ("memory traffic (GB)", 40.3, 4.4),
    ("time (ms)", 41.7, 7.3),
)
LEFT, LONGEST = 80, 320  # pixels


def draw() -> Drawing:
    """Draw a pair of bars for each cost; the longer one of a pair is always as long."""
    sheet = Drawing(300)
    for i, (said, plain, flash) in enumerate(COSTS):
        y = 24 + 94 * i
        sheet.text(6, y, said, "strong start")
        bars = (("plain", plain, ""), ("flash", flash, "activation"))
        for j, (name, cost, role) in enumerate(bars):
            top = y + 10 + 30 * j
            long = LONGEST * cost / max(plain, flash)
            sheet.text(LEFT - 8, top + 17, name, f"{role} small end")
            sheet.box(LEFT, top, long, 24, role, strength=0.6 if role else 0.25)
            sheet.text(LEFT + long + 8, top + 17, f"{cost:g}", f"{role} start")
    return sheet
