"""Check the moves of one parameter, with both means corrected."""

from snippets.exercises import Namespace, Results

UNSTEADY = [0.5, -2.0, 0.01, 3.0, 0.0, -1.0]
CASES: dict[str, tuple[list[float], tuple[float, ...]]] = {
    "three gradients of 4": ([4.0] * 3, ()),
    "a gradient of 0": ([0.0], ()),
    "a gradient of 1e-8": ([1e-8], ()),
    f"the gradients {UNSTEADY}": (UNSTEADY, ()),
    "betas of 0.5 and 0.9": (UNSTEADY, (0.5, 0.9)),
}


def run_case(
    namespace: Namespace, case: tuple[list[float], tuple[float, ...]]
) -> Results:
    """Return the moves at a rate of 0.01."""
    grads, betas = case
    return {
        "the list of moves": namespace["moves"](grads, 0.01, *betas)
    }
