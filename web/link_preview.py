"""The image that previews of links show: `web/theme/card.png`.

`python web/link_preview.py` renders it again, with Chromium. Its metadata has the hash
of the HTML that it was rendered from, so a test can tell whether it is up to date.
`touch-icon.png`, the icon of a home screen, is mark.svg on the paper by day, drawn once
by hand.
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

from pictures.attention import add_sentence_attention
from pictures.canvas import Canvas
from weave.files import write_if_changed

THEME_FOLDER = ROOT / "web" / "theme"
LOGO_FILE = ROOT / "docs" / "styles" / "mark.svg"
PREVIEW_FILE = THEME_FOLDER / "card.png"
IMAGE_SIZE: ViewportSize = {"width": 1200, "height": 630}
EXAMPLE_SENTENCE = "the dogs near the cat sleep"  # its attention is drawn
STYLE_SHEET = """
body { margin: 0; color: var(--ink-soft); background: var(--paper) }
body { border-top: 10px solid var(--accent) }
body > * { position: absolute; margin: 0; font: 28px / 1 var(--font-prose) }
h1 { top: 61px; left: 216px; font-size: 76px; font-weight: 650; color: var(--ink) }
.mark { top: 62px; left: 76px; width: 110px }
.about { top: 200px; left: 84px; font-size: 42px; color: var(--ink) }
.question { top: 290px; left: 84px }
body > .drawing { top: 356px; font: 34px var(--font-code) }
.drawing .large { font-size: 40px }
"""


def preview_html() -> str:
    """Return the HTML of the image: a title, and what a verb looks back at."""
    canvas = Canvas()
    canvas.width = IMAGE_SIZE["width"]
    add_sentence_attention(canvas, EXAMPLE_SENTENCE, (84, 100), (37, 64))
    logo = LOGO_FILE.read_text("utf-8").replace("<svg", '<svg class="mark"', 1)
    return f"""<!doctype html><meta charset="utf-8">
<link rel="stylesheet" href="../styles/guide.css"><style>{STYLE_SHEET}</style>
<body data-md-color-scheme="default">{logo}<h1>The guide to microgpt</h1>
<p class="about">A GPT in pure Python, and every line of it explained.</p>
<p class="question">Does the verb get an “s”? See where the model looks to find out:</p>{canvas}
"""


def hash_html(html: str) -> str:
    """Return the hash of an image's HTML, which its metadata holds."""
    return hashlib.sha256(html.encode()).hexdigest()


def main() -> None:
    """Render the image and write it."""
    html = preview_html()
    page = THEME_FOLDER / "assets" / "card.html"
    page.write_text(html, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        tab = browser.new_page(viewport=IMAGE_SIZE)
        tab.goto(page.as_uri())
        tab.evaluate("document.fonts.ready")
        metadata = PngImagePlugin.PngInfo()
        metadata.add_text("Source", hash_html(html))
        png = BytesIO()
        Image.open(BytesIO(tab.screenshot())).save(png, "PNG", pnginfo=metadata)
        browser.close()
    write_if_changed(PREVIEW_FILE, png.getvalue())
    page.unlink()


if __name__ == "__main__":
    main()
