"""One of each kind of element that pages have, all on one page."""

import re
from collections.abc import Iterator

from lxml import etree, html
from playwright.sync_api import Page

from tests.promises.site import Site

ARTICLE = re.compile(r"(<article[^>]*>).*(</article>)", re.DOTALL)
Path = tuple[tuple[str, str], ...]
# Each word of a program, in place of which one of each kind stands by itself
TOKENS = (
    ".//*[contains(@class, 'highlight')]//code//span[@class and not(@id) and not(*)]"
)


WIDGET = re.compile(
    r'(?:<link rel="stylesheet"[^>]*>)?<figure class="widget.*?</figure>', re.DOTALL
)
NAME = re.compile(r'data-widget="(\w+)"')
# The page that shows all of a widget, where others show a part of it
WHOLE = {"network": "network", "transformer": "forward-pass", "sampler": "sampling"}


def figures(site: Site) -> dict[str, str]:
    """The HTML of every widget, as the page has it that shows it first, or whole."""
    found: dict[str, str] = {}
    for page in site.pages:
        for widget in WIDGET.findall(page.file.read_text(encoding="utf-8")):
            name = NAME.findall(widget)[0]
            if page.file.parent.name == WHOLE.get(name):
                found[name] = widget
            found.setdefault(name, widget)
    return found


def framed(site: Site, article: str) -> str:
    """A page of the site with another article."""
    frame = (site.folder / "autograd/backward/index.html").read_text("utf-8")
    return ARTICLE.sub(lambda found: f"{found[1]}{article}{found[2]}", frame)


def show_page(tab: Page, address: str, page: str) -> None:
    """Open a page that the site does not have."""
    tab.route(
        "**/all/samples/",
        lambda route: route.fulfill(body=page, content_type="text/html"),
    )
    tab.goto(f"{address}all/samples/")


def samples(site: Site) -> str:
    """Parts of pages that have, together, every kind of element that any page has."""
    parts = []
    words = set[Path]()
    for page in site.pages:
        at = page.file.parent.relative_to(site.folder).as_posix()
        for part in html.parse(page.file).find(".//article").iterchildren("*"):
            paths = [*elements_of(part)]
            words |= {path for path, element in paths if is_word(path, element)}
            parts.append((kinds_of(path for path, _ in paths), part, f"/{at}/"))
    left = set().union(*(kinds for kinds, _, _ in parts))
    chosen = []
    while left:
        kinds, part, at = max(parts, key=lambda each: len(each[0] & left))
        part.make_links_absolute(at)
        for word in part.xpath(TOKENS):
            word.drop_tag()
        chosen.append(html.tostring(part, encoding="unicode", with_tail=False))
        left -= kinds
    assert len(words) > 100
    return "".join([*chosen, *map(written, sorted(words))])


def elements_of(part: html.HtmlElement) -> Iterator[tuple[Path, html.HtmlElement]]:
    """Yield all elements of a part, each with the tags and classes that lead to it."""
    todo: list[tuple[Path, html.HtmlElement]] = [((), part)]
    while todo:
        above, element = todo.pop()
        path = (*above, (str(element.tag), element.get("class", "")))
        yield path, element
        todo += [(path, child) for child in element.iterchildren(etree.Element)]


def kinds_of(paths: Iterator[Path]) -> set[tuple[str, str, str]]:
    """Return each tag and class, with the tag around it; widgets are looked at elsewhere."""
    return {
        (within, tag, each)
        for path in paths
        for (within, _), (tag, classes) in [(("article", ""), *path)[-2:]]
        for each in classes.split() or [""]
        if not any(of.startswith("widget ") for _, of in path)
        if not any(it == "math" or "highlight" in of for it, of in path[:-1])
    }


def is_word(path: Path, element: html.HtmlElement) -> bool:
    """Tell whether an element is a word of a program, which has a colour of its own."""
    alone = len(element) == 0 and (element.text or "").strip()
    kinds = " ".join(kind for _, kind in path)
    shown = ("code", "") in path and "highlight" in kinds and "widget " not in kinds
    return bool(alone) and shown


def written(path: Path) -> str:
    """Return a word in the elements that lead to it."""
    opened = "".join(f'<{name} class="{classes}">' for name, classes in path)
    return opened + "word" + "".join(f"</{name}>" for name, _ in reversed(path))
