"""Order: two words are one bag of letters, until each letter has a place."""

from pictures.drawing import Drawing

CARD, APART = 44, 52  # pixels


def draw() -> Drawing:
    """Draw two words as bags of the same cards, and as cards with places."""
    sheet = Drawing(250)
    sheet.text(110, 22, "without places", "small soft")
    sheet.text(366, 22, "with places", "small soft")
    for row, word in enumerate(("amy", "may")):
        y = 44 + 104 * row
        sheet.box(18, y - 6, 184, CARD + 30, "soft")
        sheet.text(236, y + 34, word, "strong")
        for i, letter in enumerate(sorted(word)):
            asks = letter == word[-1]
            x = 36 + (APART + 6) * i
            sheet.box(x, y + 6, CARD, CARD, "attention" if asks else "data")
            sheet.text(x + CARD / 2, y + 35, letter, "large strong")
        for i, letter in enumerate(word):
            asks = i == len(word) - 1
            x = 284 + (APART + 6) * i
            sheet.box(x, y - 2, CARD, CARD, "attention" if asks else "data")
            sheet.text(x + CARD / 2, y + 27, letter, "large strong")
            sheet.text(x + CARD / 2, y + 62, i + 1, "parameter strong")
    sheet.text(110, 240, "the same", "small")
    sheet.text(366, 240, "not the same", "small")
    return sheet
