"""The pictures of Step 6, in the order of its pages."""

import random

from microgpt import sample, softmax
from pictures.canvas import CANVAS_WIDTH_PX, Canvas
from snippets.ready.sentence_model import load_sentence_model


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
