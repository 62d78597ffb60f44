"""Checks a gradient by hand: it must be that of Step 1 for any name."""

from snippets import step1
from snippets.exercises import Hint, Program, close, function
from snippets.ready import untrained

NAMES = ("ada", "emma", "bo")


def check(program: Program) -> None:
    """Compare with the gradient of Step 1, matrix by matrix."""
    gradient_by_hand = function(program, "gradient_by_hand")
    _, tokenizer, weights = untrained()
    if program.get("weights") != weights:
        raise Hint(
            "The weights have changed: a gradient only looks at them."
        )
    for name in NAMES:
        tokens = tokenizer.document(name)
        found = gradient_by_hand(tokens)
        if found is None:
            raise Hint(
                "The function gives nothing back: it ended with return gradient."
            )
        true = step1.analytic_gradient(tokens, weights)
        wrong = [m for m in true if not close(found[m], true[m])]
        if wrong == ["fc2"]:
            raise Hint(
                f"For “{name}” only fc2 disagrees, and only for hidden units that ReLU has "
                "cut. Which vector went into fc2 on the way forward?"
            )
        if wrong:
            raise Hint(
                f"For “{name}” the gradient of {' and '.join(wrong)} disagrees. The line "
                "that is wrong spoils fc2, and nothing else."
            )
