"""Query, key and value: what a letter looks for, how it is found, what it hands over."""

from pictures.drawing import Drawing

APART, FIRST = 116, 66  # pixels
BADGE, LETTER, STORY = 96, 158, 182


def draw() -> Drawing:
    """Draw four letters with their badges and stories, and what the last one asks."""
    sheet = Drawing(262)
    asks = FIRST + 3 * APART - 60
    sheet.block(asks, 8, 112, 44, "query: any", "attention small", down=-3)
    sheet.text(asks + 56, 44, "consonants?", "attention small")
    start = (asks - 4, 40)
    for i, letter in enumerate("lena"):
        x, matches = FIRST + APART * i, letter in "ln"
        if i < 3:
            end, weight = (x + 14, BADGE - 5), 5.0 if matches else 1.5
            sheet.arrow(start, end, "attention", weight=weight)
        kind = "consonant" if matches else "vowel"
        sheet.block(x - 48, BADGE, 96, 30, kind, "parameter small")
        sheet.text(x, LETTER, letter, "large strong")
        story = f"I'm an {letter}" if letter in "lena" else ""
        sheet.block(x - 48, STORY, 96, 30, story, "activation small")
    sheet.label(FIRST - 48, BADGE - 12, "keys", "parameter")
    sheet.label(FIRST - 48, STORY + 54, "values", "activation")
    return sheet
