"""SVG drawings by matplotlib: made small for notebooks, and adapted to the page's style."""

import re
from pathlib import Path

MATPLOTLIBRC = Path(__file__).with_name("matplotlibrc")  # the style of all labs
# Colours of that style, and the page's CSS variables that replace them, by day and night
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
# Metadata, and a style sheet whose rules would apply to the whole page
UNNEEDED_MARKUP = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>"
    r"|<defs>\s*<style.*?</style>\s*</defs>",
    re.DOTALL,
)
COORDINATE_ATTRIBUTE = re.compile(r' (?:d|x|y|transform|points|viewBox)="[^"]*"')


def simplify_svg(svg: str) -> str:
    """Return a drawing without what a page does not need.

    Font and size come from the page. Coordinates are rounded to a tenth of a point,
    which is finer than a screen.
    """
    svg = COORDINATE_ATTRIBUTE.sub(_round_coordinates, UNNEEDED_MARKUP.sub("", svg))
    opening, end, rest = svg.strip().partition(">")
    opening = re.sub(r' (?:width|height)="[^"]*"', "", opening)
    rest = re.sub(r'font: [^;"]*?([\d.]+px)[^;"]*', r"font-size: \1", rest)
    rest = re.sub(r'font-family: [^;"]*;?', "", rest)
    lines = map(str.strip, f"{opening}{end}{rest}".splitlines())
    return "\n".join([*filter(None, lines), ""])


def _round_coordinates(attribute: re.Match[str]) -> str:
    text = " ".join(attribute[0].split())
    text = re.sub(r"-?\d+\.\d+", lambda n: f"{float(n[0]):.1f}".replace(".0", ""), text)
    return " " + re.sub(r" ?([MLQCHVZz]) ?", r"\1", text)


def adapt_svg_to_page(svg: str, figure_number: int) -> str:
    """Return a drawing in the page's colours, with `figure-N-` before its ids."""
    for colour, variable in CSS_VARIABLES_BY_COLOUR.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = re.sub(r'( id="|"#|url\(#)', rf"\1figure-{figure_number}-", svg)
    return svg.replace("xlink:href", "href")
