"""A name as questions: what is there so far, and the letter that comes next."""

from pictures.drawing import Drawing

NAME = "emma"


def draw() -> Drawing:
    """Draw a line for each question, the letters so far as boxes, the answer after them."""
    sheet = Drawing(40 * (len(NAME) + 1) + 10, 400)
    for asked in range(len(NAME) + 1):
        y = 40 * asked + 8
        for place, letter in enumerate(NAME[:asked]):
            sheet.box(10 + 40 * place, y, 34, 30, "data")
            sheet.text(27 + 40 * place, y + 21, letter, "data")
        x = 10 + 40 * asked
        sheet.box(x, y, 34, 30, look="dashed")
        sheet.text(x + 17, y + 21, "?", look="soft")
        sheet.arrow((x + 44, y + 15), (270, y + 15))
        answer = NAME[asked] if asked < len(NAME) else "the end"
        sheet.text(282, y + 21, answer, "gradient", look="strong", anchor="start")
    return sheet
