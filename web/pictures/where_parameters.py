"""Where a model's parameters are: ours, the smallest GPT-2, and the largest Llama 2."""

from microgpt import Config
from pictures.drawing import Drawing
from widgets.machines.model import MODELS

# Vocabulary, layers, width, hidden units, width of the keys (Touvron et al., 2023)
LLAMA = 32000, 80, 8192, 28672, 1024
PARTS = (("ends", "data"), ("attention", "attention"), ("MLP", "parameter"))
LEFT, TOP, HIGH, APART, WIDE = 84, 14, 34, 58, 380  # pixels


def draw() -> Drawing:
    """Draw a bar for each model, cut where its parts end."""
    vocab, layers, width, hidden, keys = LLAMA
    models = {
        "ours": shares(Config()),
        "GPT-2": shares(MODELS["GPT-2"], tied=True),
        "Llama 2": [
            2 * vocab * width,
            layers * 2 * (width + keys) * width,
            layers * 3 * hidden * width,
        ],
    }
    sheet = Drawing(TOP + APART * 3 + 26)
    for row, (name, counts) in enumerate(models.items()):
        x, y = float(LEFT), TOP + APART * row
        sheet.text(LEFT - 8, y + 22, name, "small end")
        for count, (_, role) in zip(counts, PARTS, strict=True):
            share = count / sum(counts)
            sheet.box(x, y, WIDE * share, HIGH, role, strength=0.35)
            if share > 0.05:
                sheet.text(x + WIDE * share / 2, y + 22, f"{share:.0%}", "small")
            x += WIDE * share
    for left, (name, role) in zip((108, 220, 360), PARTS, strict=True):
        y = TOP + APART * 3
        sheet.box(left - 20, y, 14, 14, role, strength=0.35)
        sheet.label(left, y + 12, name, role)
    return sheet


def shares(config: Config, *, tied: bool = False) -> list[int]:
    """Return how many parameters are in both ends, in attention and in the MLPs."""
    squares = config.n_layer * config.n_embd**2
    ends = config.num_parameters - 12 * squares
    return [ends - tied * config.vocab_size * config.n_embd, 4 * squares, 8 * squares]
