"""What each choice is worth: the loss of a variant minus ours, on two sets of names."""

from pictures.drawing import Drawing
from pictures.records import recorded

ROWS = (
    ("no MLP", "without mlp"),
    ("MLP 1×", "mlp 1x"),
    ("MLP 2×", "mlp 2x"),
    ("MLP 8×", "mlp 8x"),
    ("no first norm", "without first norm"),
    ("norm after", "post-norm"),
    ("tied ends", "tied"),
)
SEEN = "100000"
SETS = (
    ("guide", "5,676 names", "data", -6),
    ("original", "29,494 names", "attention", 6),
)
ZERO, NAT, HIGH, TOP = 196, 6200, 36, 40  # pixels


def draw() -> Drawing:
    """Draw a row for each variant, with a mean and its interval for each set."""
    found = recorded("variants")
    bottom = TOP + HIGH * len(ROWS)
    sheet = Drawing(bottom + 80)
    for tick in (-0.01, 0.0, 0.01, 0.02, 0.03, 0.04):
        x = ZERO + NAT * tick
        sheet.line([(x, TOP - 6), (x, bottom)], "" if tick == 0 else "soft dashed")
        sheet.text(x, bottom + 20, f"{tick:g}", "small")
    sheet.text(ZERO - 6, 22, "← better", "small soft end")
    sheet.label(ZERO + 6, 22, "worse →", "soft")
    sheet.label(ZERO, bottom + 42, "nats more than ours", "soft")
    for row, (said, name) in enumerate(ROWS):
        y = TOP + HIGH * (row + 0.5)
        sheet.label(4, y + 5, said)
        for which, _, role, down in SETS:
            mean, error = found[which]["differences"][f"{name}, tuned"][SEEN]
            ends = [(ZERO + NAT * (mean + side * error), y + down) for side in (-1, 1)]
            thick, ring = ("thick", "") if abs(mean) > error else ("", "ring")
            sheet.line(ends, f"{role} {thick}")
            sheet.dot(ZERO + NAT * mean, y + down, 5, f"{role} {ring}")
    for x, (_, said, role, _) in zip((130, 270), SETS, strict=True):
        sheet.dot(x - 12, bottom + 66, 5, role)
        sheet.label(x, bottom + 71, said, role)
    return sheet
