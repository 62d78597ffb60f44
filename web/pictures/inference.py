"""The pictures of Step 6, in the order of its pages."""

import ast
import random
from pathlib import Path

from microgpt import sample, softmax
from pictures.canvas import CANVAS_WIDTH_PX, Canvas
from snippets.ready.sentence_model import load_sentence_model

SINGLE_FILE = Path(__file__).parents[2] / "docs" / "downloads" / "gpt.py"
# The parts of the single file that have a label: its role, and the step that builds it
ROLES_AND_STEPS = {
    "load_names": ("data", 0),
    "Value": ("gradient", 2),
    "rmsnorm": ("activation", 3),
    "attend": ("attention", 3),
    "GPT": ("activation", 4),
    "Tokenizer": ("data", 0),
    "sample": ("activation", 6),
    "Adam": ("parameter", 5),
    "document_loss": ("cost", 0),
    "train": ("gradient", 1),
}


def draw_one_roll_at_four_temperatures(canvas: Canvas) -> None:
    """Draw the letters that one random number samples at four temperatures."""
    prompt, seed, temperatures = "the dogs near the ", 42, (0.2, 0.5, 1.0, 2.0)
    roll = random.Random(seed).random()
    left, first_top, spacing, height = 46, 46, 72, 30  # pixels
    right, min_letter_width = CANVAS_WIDTH_PX - 8, 13  # pixels
    model, tokenizer = load_sentence_model()
    cache = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(prompt)]:
        logits = model.forward(token, cache)
    total_width, letters = right - left, tokenizer.characters + "."
    for row, temperature in enumerate(temperatures):
        top = first_top + spacing * row
        canvas.text(8, top + 21, f"{temperature:g}", "strong start")
        probabilities, end = softmax([z / temperature for z in logits]), 0.0
        for i, letter in enumerate(letters):
            x, width = left + total_width * end, total_width * probabilities[i].data
            start, end = end, end + probabilities[i].data
            is_sampled = start <= roll < end
            role, opacity = "activation", 0.25 + 0.3 * (i % 2)
            if is_sampled:
                role, opacity = "gradient", 0.9
            canvas.box(x, top, width, height, role, opacity=opacity)
            if width > min_letter_width and not is_sampled:
                canvas.text(x + width / 2, top + height / 2 + 6, letter, "small")
        rng = random.Random(seed)  # whose first number is the roll
        sentence = sample(model, tokenizer, rng, temperature, prompt)
        canvas.label(left, top + 50, f"… {sentence.removeprefix(prompt)}")
        x = left + total_width * roll
        canvas.polyline([(x, top - 8), (x, top + height + 4)], "gradient dashed")
    canvas.label(8, 22, "temperature")
    canvas.text(x, 22, "one roll of the die", "gradient small strong")


def draw_single_file_from_above(canvas: Canvas) -> None:
    """Draw each line of the single file as a stroke, in two columns with labels."""
    text = SINGLE_FILE.read_text("utf-8")
    lines, first_top, spacing, letter_width = text.splitlines(), 14, 1.6, 0.9
    column_width, column_length = CANVAS_WIDTH_PX / 2, len(lines) // 2 + 1

    def position(number: int, column: int) -> tuple[float, float]:
        place, row = divmod(number - 1, column_length)
        x = 8 + place * column_width + letter_width * column
        return x, first_top + spacing * row

    numbers_by_role: dict[str, list[int]] = {}
    role_by_number = dict.fromkeys(range(1, len(lines) + 1), "soft")
    for part in ast.parse(text).body:
        if isinstance(part, ast.ClassDef | ast.FunctionDef):
            role, step = ROLES_AND_STEPS.get(part.name, ("soft", None))
            for number in range(part.lineno, (part.end_lineno or 0) + 1):
                role_by_number[number] = role
            if step is not None:
                x, y = position(part.lineno, 79)
                canvas.label(x, y + 6, f"{step}: {part.name}", role)
    for number, role in role_by_number.items():
        numbers_by_role.setdefault(role, []).append(number)
    for role, numbers in numbers_by_role.items():
        written = [(n, lines[n - 1].lstrip()) for n in numbers if lines[n - 1]]
        strokes = [
            (position(n, len(lines[n - 1]) - len(code)), letter_width * len(code))
            for n, code in written
        ]
        canvas.strokes(strokes, role)
