"""Still pictures of pages: a module for each step, a function for each picture.

They are drawn while the site is built, by the package, so no number in them can differ
from what the code computes.
"""

from importlib import import_module

from pictures.drawing import Drawing

STEPS = (
    "counting",
    "gradient_descent",
    "autograd",
    "attention",
    "transformer",
    "adam",
    "inference",
    "efficiency",
)


def drawn(name: str) -> str:
    """Return the SVG of a picture, or raise LookupError where no step has it."""
    for step in STEPS:
        module = import_module(f"pictures.{step}")
        picture = vars(module).get(name)
        if callable(picture) and picture.__module__ == module.__name__:
            sheet = Drawing()
            picture(sheet)
            return str(sheet)
    raise LookupError("no step has a picture of that name")
