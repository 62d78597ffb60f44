"""What each page says of itself to search engines and in previews of links.

It is the page's first paragraph, the question that it answers. Templates know no way to
cut it out of a page that works under both builders, so they include this list.
"""

import json
import re
from pathlib import Path

from weave.files import replace
from weave.guide import Guide, address_of
from weave.page import Page
from weave.text import plain

ABOUT = Path("web", "theme", "about.html")


def write_about(guide: Guide) -> None:
    """Write the descriptions of all pages, as a template that gives the page's own."""
    said = {
        address_of(path): text
        for path in [*guide.paths, *guide.labs]
        if (text := first_paragraph(guide.read(path)))
    }
    # Builders call the front page by different names.
    said |= {"./": said.get("", ""), ".": said.get("", "")}
    listed = json.dumps(said, ensure_ascii=False, indent=1)
    replace(guide.root / ABOUT, f"{{{{ {listed}[page.url] }}}}\n".encode())


def first_paragraph(page: Page) -> str:
    """Return the text of the first paragraph below the title, without its markup.

    A card and fences may stand above it.
    """
    found: list[str] = []
    for _, line in page.prose():
        if re.match(r"[^\W_]|[*_`\"“$\[(]|<data", line):
            found.append(line.strip())
        elif found:
            break
    return plain(" ".join(found))
