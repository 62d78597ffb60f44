"""Check a formula for the number of parameters of a GPT."""

from itertools import product

from snippets.exercises import Namespace, Results

SIZES = product((27, 65, 50257), (16, 24, 768), (16, 1024), (1, 2, 12))
CASES = {
    f"{vocabulary} tokens, width {width}, context {context}"
    f" and layers: {layers}": (vocabulary, width, context, layers)
    for vocabulary, width, context, layers in SIZES
}


def run_case(namespace: Namespace, case: tuple[int, ...]) -> Results:
    """Return the number of parameters."""
    return {"the number": namespace["count_parameters"](*case)}
