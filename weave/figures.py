"""Drawings of matplotlib's, made light, and in the colours of the page."""

import re
from pathlib import Path
from typing import Any

STYLE = Path(__file__).with_name("matplotlibrc")
# What matplotlib draws in these colours gets those of the page, by day and by night.
TOKENS = {
    "#1f5fa6": "data",
    "#8a5300": "parameter",
    "#2a6b3d": "activation",
    "#b02a4c": "gradient",
    "#6b45b0": "attention",
    "#1d2126": "ink",
    "#565a5f": "ink-soft",
    "#dcd8cc": "rule",
}
SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = ("d", "x", "y", "transform", "points", "viewBox")
RECTANGLE = re.compile(r"M(\S+) (\S+)L(\S+) \2L\3 (\S+)L\1 \4L\1 \2z?")
NOT_NEEDED = ("font-family", "stroke-miterlimit")


def light(svg: str) -> str:
    """Return a drawing without what a page does not need.

    Its fonts and its size are the page's; a tenth of a point is finer than a screen.
    """
    # Not needed where labs are only shown
    from lxml import etree

    tidy = etree.XMLParser(
        remove_comments=True, remove_blank_text=True, resolve_entities=False
    )
    root = etree.fromstring(svg.encode(), tidy)
    for element in root.findall(f"{SVG}metadata") + root.findall(f"{SVG}defs"):
        if element.tag == f"{SVG}metadata" or element.find(f"{SVG}style") is not None:
            root.remove(element)
    for element in root.iter():
        _write_attributes(element)
    for group in [*root.iter(f"{SVG}g")]:
        _merge(group)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    text: str = etree.tostring(root, encoding="unicode")
    used = set(re.findall(r"#([\w-]+)", text))
    for element in root.iter():
        if element.get("id", "") not in used:
            element.attrib.pop("id", None)
    etree.indent(root, space="")
    return f"{etree.tostring(root, encoding='unicode')}\n"


def _write_attributes(element: Any) -> None:
    """Write a style as attributes, which any policy on content allows, and round."""
    for declaration in element.attrib.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font":  # matplotlib's own shorthand
            name, value = "font-size", value.split("px")[0].split()[-1] + "px"
        if name and name not in NOT_NEEDED:
            element.set(name, value)
    for name in NUMBERS:
        if value := element.get(name):
            element.set(name, _rounded(value))


def _rounded(value: str) -> str:
    text = re.sub(r"\s+", " ", value).strip()
    text = re.sub(r"-?\d+\.\d+", lambda n: f"{float(n[0]):.1f}".replace(".0", ""), text)
    text = re.sub(r" ?([MLQCHVZz]) ?", r"\1", text)
    return re.sub(RECTANGLE, r"M\1 \2H\3V\4H\1z", text)


def _merge(group: Any) -> None:
    """Make one path of those of a group that look alike: the cells of a map do."""
    alike: dict[tuple[tuple[str, str], ...], Any] = {}
    for path in group.findall(f"{SVG}path"):
        look = tuple((k, v) for k, v in path.attrib.items() if k != "d")
        if "stroke" in dict(look) or "id" in dict(look):
            continue
        if (first := alike.setdefault(look, path)) is not path:
            first.set("d", first.get("d") + path.get("d"))
            group.remove(path)


def for_page(svg: str, place: int) -> str:
    """Return a drawing in the colours of the page, with ids that only it has."""
    for colour, token in TOKENS.items():
        svg = svg.replace(colour, f"var(--{token})")
    svg = re.sub(r'( id="|"#|url\(#)', rf"\1figure-{place}-", svg)
    return svg.replace("xlink:href", "href")
