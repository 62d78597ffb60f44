"""The second "m" of "emma" on its way through the model: every vector, as shades."""

from microgpt import Value, load_model, rmsnorm, softmax
from microgpt.nn import linear
from pictures.drawing import Drawing

NAME, AT = "emma", 3  # the letter that is read, counted with BOS
LEFT, WIDE, HIGH, APART = 128, 292, 24, 44  # pixels


def draw() -> Drawing:
    """Draw each vector as a strip of the same width, however many numbers it has."""
    stages, letters = vectors()
    sheet = Drawing(APART * len(stages) + 22)
    for row, (name, role, numbers) in enumerate(stages):
        y = 4 + APART * row
        most = max(abs(number) for number in numbers)
        gap = 0.5 if len(numbers) > 30 else 1.5
        size, shades = (WIDE / len(numbers), HIGH + gap), [n / most for n in numbers]
        sheet.cells(LEFT, y, size, [shades], role, gap=gap)
        sheet.text(LEFT - 10, y + 17, name, "small end")
        sheet.text(LEFT + WIDE + 10, y + 17, len(numbers), "strong start")
    chances = stages[-1][2]
    y = 4 + APART * len(stages) - APART + HIGH + 18
    for token in sorted(range(len(letters)), key=chances.__getitem__)[-3:]:
        x = LEFT + (token + 0.5) * WIDE / len(letters)
        sheet.text(x, y, letters[token], "cost small strong")
    return sheet


def vectors() -> tuple[list[tuple[str, str, list[float]]], list[str]]:
    """Return name, role and numbers of each stage, and what the tokens are called."""
    model, tokenizer = load_model()
    tokens, cache = tokenizer.document(NAME), model.new_cache()
    for token in tokens[:AT]:
        model.forward(token, cache)
    letter, place = model.weights["wte"][tokens[AT]], model.weights["wpe"][AT]
    x = rmsnorm([t + p for t, p in zip(letter, place, strict=True)])
    attended = model.attention(x, 0, cache[0])
    hidden = linear(rmsnorm(attended), model.weights["layer0.mlp_fc1"])
    end = model.mlp(attended, 0)
    logits = linear(end, model.weights["lm_head"])
    found: list[tuple[str, str, list[Value]]] = [
        ("row of wte", "parameter", letter),
        ("row of wpe", "parameter", place),
        ("x", "activation", x),
        ("+ attention", "activation", attended),
        ("in the MLP", "activation", [h.relu() for h in hidden]),
        ("+ MLP", "activation", end),
        ("logits", "activation", logits),
        ("softmax", "cost", softmax(logits)),
    ]
    shown = [(name, role, [x.data for x in row]) for name, role, row in found]
    return shown, [*tokenizer.characters, "end"]
