"""Held-out loss by parameters, with many names to learn from and with few."""

from microgpt import Config
from pictures.chart import Axis, Chart
from pictures.records import recorded

SIZES = {
    "four heads": Config(),
    "two layers": Config(n_layer=2),
    "four layers": Config(n_layer=4),
    "width 32": Config(n_embd=32),
    "wide": Config(n_embd=64, n_layer=2),
}
SETS = (
    ("guide", "100000", "5,676 names", "data"),
    ("original", "300000", "29,494 names", "attention"),
)
PARAMETERS = Axis(3_700, 117_000, 52, 452, tens=True)
NATS = Axis(1.95, 2.44, 250, 20)


def draw() -> Chart:
    """Draw a line through the models for each set."""
    ends = recorded("ends")
    sheet = Chart(306, PARAMETERS, NATS)
    sheet.levels((2.0, 2.1, 2.2, 2.3, 2.4), ".1f", "nats per token")
    sheet.foot((5_000, 20_000, 80_000), ",", "parameters")
    for which, seen, said, role in SETS:
        losses = [ends[which]["rungs"][name][seen]["mean"] for name in SIZES]
        counts = [size.num_parameters for size in SIZES.values()]
        points = sheet.curve(zip(counts, losses, strict=True), role)
        for point in points:
            sheet.dot(*point, 5, role)
        x, y = points[1]
        sheet.label(x + 12, y - 9, said, role)
    return sheet
