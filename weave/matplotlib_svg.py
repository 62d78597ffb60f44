"""Drawings of matplotlib's, made light, and in the colours of the page."""

import re
from pathlib import Path

MATPLOTLIBRC = Path(__file__).with_name("matplotlibrc")
# What matplotlib draws in these colours gets those of the page, by day and by night.
CSS_VARIABLES_BY_COLOUR = {
    "#1f5fa6": "data",
    "#8a5300": "parameter",
    "#2a6b3d": "activation",
    "#b02a4c": "gradient",
    "#6b45b0": "attention",
    "#1d2126": "ink",
    "#565a5f": "ink-soft",
    "#dcd8cc": "rule",
}
# Metadata, and a sheet whose rules would hold for the whole page
UNNEEDED_MARKUP = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>"
    r"|<defs>\s*<style.*?</style>\s*</defs>",
    re.DOTALL,
)
COORDINATE_ATTRIBUTE = re.compile(r' (?:d|x|y|transform|points|viewBox)="[^"]*"')


def simplify_svg(svg: str) -> str:
    """Return a drawing without what a page does not need.

    Its fonts and its size are the page's; a tenth of a point is finer than a screen.
    """
    svg = COORDINATE_ATTRIBUTE.sub(_round_coordinates, UNNEEDED_MARKUP.sub("", svg))
    opening, end, rest = svg.strip().partition(">")
    opening = re.sub(r' (?:width|height)="[^"]*"', "", opening)
    rest = re.sub(r'font: [^;"]*?([\d.]+px)[^;"]*', r"font-size: \1", rest)
    rest = re.sub(r'font-family: [^;"]*;?', "", rest)
    lines = map(str.strip, f"{opening}{end}{rest}".splitlines())
    return "\n".join([*filter(None, lines), ""])


def _round_coordinates(places: re.Match[str]) -> str:
    text = " ".join(places[0].split())
    text = re.sub(r"-?\d+\.\d+", lambda n: f"{float(n[0]):.1f}".replace(".0", ""), text)
    return " " + re.sub(r" ?([MLQCHVZz]) ?", r"\1", text)


def adapt_svg_to_page(svg: str, place: int) -> str:
    """Return a drawing in the colours of the page, with ids that only it has."""
    for colour, token in CSS_VARIABLES_BY_COLOUR.items():
        svg = svg.replace(colour, f"var(--{token})")
    svg = re.sub(r'( id="|"#|url\(#)', rf"\1figure-{place}-", svg)
    return svg.replace("xlink:href", "href")
