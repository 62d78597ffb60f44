"""Still pictures of pages: a module for each step, a function for each picture.

The package draws them while the site is built, so no number in them can differ from
what the code computes.
"""

from importlib import import_module

from pictures.canvas import Canvas

STEP_MODULES = (
    "counting",
    "gradient_descent",
    "autograd",
    "attention",
    "transformer",
    "adam",
    "inference",
    "efficiency",
)


def draw_picture(name: str) -> str:
    """Return a picture as SVG, drawn by the function `draw_NAME` of a step's module.

    Raises:
        LookupError: No step has such a function.
    """
    for step in STEP_MODULES:
        draw = vars(import_module(f"pictures.{step}")).get(f"draw_{name}")
        if callable(draw):
            canvas = Canvas()
            draw(canvas)
            return str(canvas)
    raise LookupError(f"no module of web/pictures/ has a function draw_{name}")
