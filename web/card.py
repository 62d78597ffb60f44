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

from snippets.ready.attention import looks
from weave.files import replace
from widgets._network import end_weights

THEME = ROOT / "web" / "theme"
FONTS = THEME / "assets" / "fonts"
MARK = ROOT / "docs" / "styles" / "mark.svg"
CARD = THEME / "card.png"
SIZE: ViewportSize = {"width": 1200, "height": 630}
NAME = "matteo"
# Tokens by day, as in docs/styles/tokens.css
PAPER, INK, SOFT = "#fbfaf6", "#1d2126", "#565a5f"
ACCENT, ATTENTION = "#0b6570", "#6b45b0"


def card() -> str:
    """Return the card as SVG: the title, and what four heads attend to in a name."""
    asked = looks(end_weights("four-end"), NAME, 4)  # by each token, with each head
    maps = "".join(
        f'<g transform="translate({84 + 268 * head} 366)">'
        + _map(asked[head::4], ["BOS", *NAME])
        + "</g>"
        for head in range(4)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="{PAPER}"/>
<rect width="1200" height="10" fill="{ACCENT}"/>
<g transform="translate(76 62) scale(4.6)">{_mark()}</g>
<text x="216" y="132" font-family="Literata" font-weight="650" font-size="76" fill="{INK}">The guide to microgpt</text>
<text x="84" y="240" font-family="Literata" font-size="42" fill="{INK}">A GPT in pure Python, and every line of it explained.</text>
<text x="84" y="316" font-family="Literata" font-size="28" fill="{SOFT}">What its four heads attend to while it reads “{NAME}”:</text>
{maps}
</svg>
"""


def _mark() -> str:
    mark = MARK.read_text(encoding="utf-8")
    return mark[mark.index(">") + 1 : mark.rindex("</svg>")]


def _map(weights: list[list[float]], tokens: list[str]) -> str:
    size = 28
    cells = [
        f'<rect x="{column * size}" y="{row * size}" width="{size - 1}" '
        f'height="{size - 1}" fill="{ATTENTION}" fill-opacity="{0.06 + 0.94 * weight:.2f}"/>'
        for row, line in enumerate(weights)
        for column, weight in enumerate(line)
    ]
    names = [
        f'<text x="-8" y="{row * size + 20}" font-family="M PLUS Code" font-size="18" '
        f'text-anchor="end" fill="{SOFT}">{token if len(token) == 1 else "·"}</text>'
        for row, token in enumerate(tokens)
    ]
    return "".join([*cells, *names])


def digest(drawing: str) -> str:
    """Return the hash by which the picture names its drawing."""
    return hashlib.sha256(drawing.encode()).hexdigest()


def main() -> None:
    """Draw the picture."""
    faces = "".join(
        f'@font-face {{ font-family: "{name}"; font-weight: 400 700; '
        f'src: url("{(FONTS / file).as_uri()}") }}'
        for name, file in (
            ("Literata", "literata-normal.woff2"),
            ("M PLUS Code", "m-plus-code-latin-normal.woff2"),
        )
    )
    drawing = card()
    page = THEME / "assets" / "card.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><style>{faces} body {{ margin: 0 }}"
        f" svg {{ display: block }}</style>{drawing}",
        encoding="utf-8",
    )
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
    replace(CARD, drawn.getvalue())
    page.unlink()


if __name__ == "__main__":
    main()
