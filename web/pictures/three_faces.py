"""Query, key and value: what a letter looks for, how it is found, what it hands over."""

from pictures.drawing import Drawing

APART, FIRST = 116, 66  # pixels
BADGE, LETTER, STORY = 96, 158, 182


def draw() -> Drawing:
    """Draw four letters with their badges and stories, and what the last one asks."""
    sheet = Drawing(262)
    sheet.box(FIRST + 3 * APART - 60, 8, 112, 44, "attention")
    for line, said in enumerate(("query: any", "consonants?")):
        x = FIRST + 3 * APART - 4
        sheet.text(x, 27 + 17 * line, said, "attention", look="small")
    start = (FIRST + 3 * APART - 64, 40)
    for i, letter in enumerate("lena"):
        x, matches = FIRST + APART * i, letter in "ln"
        if i < 3:
            end, weight = (x + 14, BADGE - 5), 5.0 if matches else 1.5
            sheet.arrow(start, end, "attention", weight=weight)
        kind = "consonant" if matches else "vowel"
        sheet.box(x - 48, BADGE, 96, 30, "parameter")
        sheet.text(x, BADGE + 20, kind, "parameter", look="small")
        sheet.text(x, LETTER, letter, look="large strong")
        sheet.box(x - 48, STORY, 96, 30, "activation")
        story = f"I'm an {letter}" if letter in "lena" else ""
        sheet.text(x, STORY + 20, story, "activation", look="small")
    sheet.label(FIRST - 48, BADGE - 12, "keys", "parameter")
    sheet.label(FIRST - 48, STORY + 54, "values", "activation")
    return sheet
