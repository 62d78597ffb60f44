"""A name as questions: what is there so far, and the letter that comes next."""

from pictures.drawing import Drawing

NAME = "emma"


def draw() -> Drawing:
    """Draw a line for each question, the letters so far as boxes, the answer after them."""
    sheet = Drawing(40 * (len(NAME) + 1) + 10, 400)
    for asked in range(len(NAME) + 1):
        y = 40 * asked + 8
        for place, letter in enumerate(NAME[:asked]):
            sheet.block(10 + 40 * place, y, 34, 30, letter, "data", down=6)
        x = 10 + 40 * asked
        sheet.box(x, y, 34, 30, "dashed")
        sheet.text(x + 17, y + 21, "?", "soft")
        sheet.arrow((x + 44, y + 15), (270, y + 15))
        answer = NAME[asked] if asked < len(NAME) else "the end"
        sheet.text(282, y + 21, answer, "gradient strong start")
    return sheet
