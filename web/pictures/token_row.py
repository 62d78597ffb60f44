"""A name as tokens: each letter above its number, with BOS at both ends."""

from microgpt import Tokenizer, load_names
from pictures.drawing import WIDTH, Drawing

NAME = "emma"


def draw() -> Drawing:
    """Draw letters, arrows and the numbers that the tokenizer gives them."""
    tokenizer = Tokenizer(load_names())
    tokens = tokenizer.document(NAME)
    shown = ["BOS", *NAME, "BOS"]
    sheet = Drawing(140)
    wide = WIDTH / len(tokens)
    for place, (letter, token) in enumerate(zip(shown, tokens, strict=True)):
        left, role = place * wide + 8, "" if letter == "BOS" else "data"
        middle = left + (wide - 16) / 2
        look = "soft" if letter == "BOS" else "large strong"
        sheet.text(middle, 28, letter, f"{role} {look}")
        sheet.arrow((middle, 42), (middle, 78))
        sheet.block(left, 84, wide - 16, 40, token, f"{role} strong", down=6)
    return sheet
