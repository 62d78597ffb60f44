"""Drawings of matplotlib's, made light, and in the colours of the page."""

import re
from pathlib import Path

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
# Metadata, and a sheet whose rules would hold for the whole page
NOT_NEEDED = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>"
    r"|<defs>\s*<style.*?</style>\s*</defs>",
    re.DOTALL,
)
PLACES = re.compile(r' (?:d|x|y|transform|points|viewBox)="[^"]*"')


def light(svg: str) -> str:
    """Return a drawing without what a page does not need.

    Its fonts and its size are the page's; a tenth of a point is finer than a screen.
    """
    svg = PLACES.sub(_rounded, NOT_NEEDED.sub("", svg))
    opening, end, rest = svg.strip().partition(">")
    opening = re.sub(r' (?:width|height)="[^"]*"', "", opening)
    rest = re.sub(r'font: [^;"]*?([\d.]+px)[^;"]*', r"font-size: \1", rest)
    rest = re.sub(r'font-family: [^;"]*;?', "", rest)
    lines = map(str.strip, f"{opening}{end}{rest}".splitlines())
    return "\n".join([*filter(None, lines), ""])


def _rounded(places: re.Match[str]) -> str:
    text = " ".join(places[0].split())
    text = re.sub(r"-?\d+\.\d+", lambda n: f"{float(n[0]):.1f}".replace(".0", ""), text)
    return " " + re.sub(r" ?([MLQCHVZz]) ?", r"\1", text)


def for_page(svg: str, place: int) -> str:
    """Return a drawing in the colours of the page, with ids that only it has."""
    for colour, token in TOKENS.items():
        svg = svg.replace(colour, f"var(--{token})")
    svg = re.sub(r'( id="|"#|url\(#)', rf"\1figure-{place}-", svg)
    return svg.replace("xlink:href", "href")
