"""Check a count of multiplications on two small models."""

from microgpt import Config
from snippets.exercises import Namespace, Results

CASES = {
    "5 tokens and 3 layers": (Config(7, 3, 8, 4, 8), 5),
    "3 tokens and 1 layer": (Config(5, 1, 4, 2, 8), 3),
}


def run_case(namespace: Namespace, case: tuple[Config, int]) -> Results:
    """Return the number of multiplications."""
    return {"the number": namespace["multiplications"](*case)}
