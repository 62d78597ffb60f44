"""The picture that previews of links show, drawn with what the model does.

`python web/card.py` draws it again, with Chromium. It names the drawing that it was made
from, so a test can tell whether it is still the one. `touch-icon.png`, the icon of a home
screen, is mark.svg on the paper by day, drawn once by hand.
"""

import hashlib
import shutil
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image, PngImagePlugin
from playwright.sync_api import ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "web")]

from pictures.drawing import Drawing
from snippets.ready.attention import looks
from weave.files import write_if_changed
from widgets._weights import gpt_weights

THEME = ROOT / "web" / "theme"
MARK = ROOT / "docs" / "styles" / "mark.svg"
CARD = THEME / "card.png"
SIZE: ViewportSize = {"width": 1200, "height": 630}
NAME = "matteo"
STYLE = """
body { margin: 0; color: var(--ink-soft); background: var(--paper) }
body { border-top: 10px solid var(--accent) }
body > * { position: absolute; margin: 0; font: 28px / 1 var(--prose) }
h1 { top: 61px; left: 216px; font-size: 76px; font-weight: 650; color: var(--ink) }
.mark { top: 62px; left: 76px; width: 110px }
.about { top: 200px; left: 84px; font-size: 42px; color: var(--ink) }
.names { top: 290px; left: 84px }
body > .drawing { top: 366px; font: 18px var(--code) }
"""


def card() -> str:
    """Return the card as a page: the title, and what four heads attend to in a name."""
    asked = looks(gpt_weights("four-end"), NAME, 4)  # by each token, with each head
    sheet = Drawing()
    sheet.width = SIZE["width"]
    for head in range(4):
        left, rows = 84 + 268 * head, asked[head::4]
        shades = [[0.06 + 0.94 * weight for weight in row] for row in rows]
        sheet.cells(left, 0, (28, 28), shades, "attention")
        for row, token in enumerate(["·", *NAME]):
            sheet.text(left - 8, 28 * row + 20, token, "soft end")
    mark = MARK.read_text("utf-8").replace("<svg", '<svg class="mark"', 1)
    return f"""<!doctype html><meta charset="utf-8">
<link rel="stylesheet" href="../styles/guide.css"><style>{STYLE}</style>
<body data-md-color-scheme="default">{mark}<h1>The guide to microgpt</h1>
<p class="about">A GPT in pure Python, and every line of it explained.</p>
<p class="names">What its four heads attend to while it reads “{NAME}”:</p>{sheet}
"""


def digest(drawing: str) -> str:
    """Return the hash by which the picture names its drawing."""
    return hashlib.sha256(drawing.encode()).hexdigest()


def main() -> None:
    """Draw the picture."""
    drawing = card()
    page = THEME / "assets" / "card.html"
    page.write_text(drawing, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        tab = browser.new_page(viewport=SIZE)
        tab.goto(page.as_uri())
        tab.evaluate("document.fonts.ready")
        source = PngImagePlugin.PngInfo()
        source.add_text("Source", digest(drawing))
        drawn = BytesIO()
        Image.open(BytesIO(tab.screenshot())).save(drawn, "PNG", pnginfo=source)
        browser.close()
    write_if_changed(CARD, drawn.getvalue())
    page.unlink()


if __name__ == "__main__":
    main()
