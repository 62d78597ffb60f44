"""The network: from a letter to probabilities, with the count of numbers at each stage."""

from pictures.drawing import Drawing

STAGES = (
    ("e", "a letter", "", "data"),
    ("16", "its row of wte", "look up", "activation"),
    ("64", "hidden units", "fc1", "activation"),
    ("64", "no negatives", "ReLU", "activation"),
    ("27", "logits", "fc2", "activation"),
    ("27", "probabilities", "softmax", "activation"),
)
HIGH = 44  # pixels from stage to stage, of which a box takes 34


def draw() -> Drawing:
    """Draw the stages below one another, each as wide as it has numbers."""
    sheet = Drawing(HIGH * len(STAGES) + 6)
    for i, (count, name, done, role) in enumerate(STAGES):
        y = 4 + HIGH * i
        wide = 4.4 * int(count) if count.isdigit() else 34
        sheet.block(190 - wide / 2, y, wide, 32, count, f"{role} strong", down=6)
        sheet.label(344, y + 22, name)
        if done:
            role = "parameter" if done in ("fc1", "fc2", "look up") else ""
            sheet.label(8, y + 22, done, role)
        if i:
            sheet.arrow((190, y - 11), (190, y - 1), weight=1.5)
    return sheet
