"""Order: two words are one bag of letters, until each letter has a place."""

from pictures.drawing import Drawing

CARD, APART = 44, 58  # pixels


def draw() -> Drawing:
    """Draw two words as bags of the same cards, and as cards with places."""
    sheet = Drawing(250)
    sheet.text(110, 22, "without places", "small soft")
    sheet.text(366, 22, "with places", "small soft")
    for row, word in enumerate(("amy", "may")):
        y = 44 + 104 * row
        sheet.box(18, y - 6, 184, CARD + 30, "soft")
        sheet.text(236, y + 34, word, "strong")
        for left, top, cards in ((36, y + 6, sorted(word)), (284, y - 2, word)):
            for i, letter in enumerate(cards):
                role, x = (
                    "attention" if letter == word[-1] else "data",
                    left + APART * i,
                )
                sheet.box(x, top, CARD, CARD, role)
                sheet.text(x + CARD / 2, top + 29, letter, "large strong")
        for i in range(len(word)):
            sheet.text(306 + APART * i, y + 62, i + 1, "parameter strong")
    sheet.text(110, 240, "the same", "small")
    sheet.text(366, 240, "not the same", "small")
    return sheet
