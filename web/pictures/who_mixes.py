"""One letter changed, and which numbers change where: only attention looks sideways."""

import math

from microgpt import load_model, rmsnorm
from microgpt.autograd import Value
from microgpt.nn import linear
from pictures.drawing import Drawing

BEFORE, AFTER = "emma", "elma"
LEFT, WIDE, HIGH, TOP = 150, 66, 36, 34  # pixels
Stages = dict[str, list[list[float]]]


def draw() -> Drawing:
    """Draw a row for each stage and a column for each letter, filled where it differs."""
    before, after = stages(BEFORE), stages(AFTER)
    sheet = Drawing(TOP + HIGH * len(before) + 6)
    for i, (old, new) in enumerate(
        zip(["start", *BEFORE], ["start", *AFTER], strict=True)
    ):
        said, changed = (old, "") if old == new else (f"{old} → {new}", "attention")
        look = "small" if said == "start" else "strong"
        sheet.text(LEFT + WIDE * (i + 0.5), 20, said, f"{changed} {look}")
    for row, (name, old_rows) in enumerate(before.items()):
        y = TOP + HIGH * row
        mixing = name == "attention"
        look = "small strong" if mixing else "small"
        role = "attention" if mixing else ""
        sheet.text(LEFT - 12, y + 22, name, f"{role} {look} end")
        gaps = [math.dist(*pair) for pair in zip(old_rows, after[name], strict=True)]
        for i, gap in enumerate(gaps):
            strength = 0.15 + 0.85 * gap / max(gaps) if gap else 0.0
            colour = "attention" if gap else ""
            box = (LEFT + WIDE * i + 3, y + 3, WIDE - 6, HIGH - 6)
            sheet.box(*box, colour, strength=strength)
    return sheet


def stages(name: str) -> Stages:
    """Return what each stage of the trained model makes of each letter of a name."""
    model, tokenizer = load_model()
    weights = {key.removeprefix("layer0."): m for key, m in model.weights.items()}
    cache = model.new_cache()[0]
    found: dict[str, list[list[Value]]] = {}
    for place, token in enumerate(tokenizer.document(name)[:-1]):
        letter = [
            t + p
            for t, p in zip(weights["wte"][token], weights["wpe"][place], strict=True)
        ]
        x = rmsnorm(letter)
        attended = model.attention(x, 0, cache)
        hidden = linear(rmsnorm(attended), weights["mlp_fc1"])
        end = model.mlp(attended, 0)
        now = {
            "letter + place": letter,
            "RMSNorm": x,
            "query": linear(rmsnorm(x), weights["attn_wq"]),
            "key, value": cache.keys[-1] + cache.values[-1],
            "attention": attended,
            "RMSNorm, fc1": hidden,
            "ReLU, fc2, add": end,
            "lm_head": linear(end, weights["lm_head"]),
        }
        for stage, numbers in now.items():
            found.setdefault(stage, []).append(numbers)
    return {
        stage: [[x.data for x in row] for row in rows] for stage, rows in found.items()
    }
