"""The graph of one guess: a dot for each result, in the order in which they are made."""

from collections import Counter

from microgpt import Value
from microgpt.autograd import topological_order
from pictures.drawing import Drawing
from snippets.ready import untrained_values
from snippets.step2 import mean_loss

HIGH, STEP = 16, 11  # dots in a column; pixels from one to the next
LEFT, TOP, GAP = 26, 44, 44  # pixels
STAGES = ("fc1", "ReLU", "fc2", "minus", "exp", "loss")


def draw() -> Drawing:
    """Draw each stage as a block of dots, with their number below."""
    _, tokenizer, weights = untrained_values()
    depth: dict[Value, int] = {}
    for node in topological_order(mean_loss(tokenizer.document("emma")[:2], weights)):
        depth[node] = max((depth[child] + 1 for child in node._children), default=0)
    counts = Counter(min(of, len(STAGES)) for of in depth.values() if of)
    sheet, x = Drawing(TOP + HIGH * STEP + 30), LEFT
    for stage, said in enumerate(STAGES, 1):
        wide = STEP * (-(-counts[stage] // HIGH) - 1)
        role = "cost" if said == "loss" else "activation"
        for i in range(counts[stage]):
            at = x + STEP * (i // HIGH), TOP + STEP * (i % HIGH)
            sheet.dot(*at, 4, role)
        sheet.text(x + wide / 2, TOP - 18, said, "small")
        low = TOP + HIGH * STEP + 14
        sheet.text(x + wide / 2, low, counts[stage], "small soft")
        x += wide + GAP
    return sheet
