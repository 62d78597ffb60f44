"""Still pictures of pages: a file for each, with a function `draw` that returns SVG.

They are drawn while the site is built, by the package, so no number in them can differ
from what the code computes.
"""
