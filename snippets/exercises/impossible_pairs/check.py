"""Checks the list of pairs that a model without smoothing holds to be impossible."""

from snippets.exercises import Hint, Program, function
from snippets.ready import counted

NAMES = ("maria", "emma", "ben", "una", "paul")


def check(program: Program) -> None:
    """Compare the pairs of a few names with the empty cells of the table."""
    impossible_pairs = function(program, "impossible_pairs")
    _, tokenizer, counts = counted(50)
    for name in NAMES:
        tokens = tokenizer.document(name)
        pairs = list(zip(tokens, tokens[1:]))
        expected = [
            pair for pair in pairs if counts[pair[0]][pair[1]] == 0
        ]
        found = impossible_pairs(name)
        if found is None:
            raise Hint(
                "The function gives nothing back: end it with return pairs."
            )
        found = list(found)
        if found == expected:
            continue
        if any(
            isinstance(part, str) for pair in found for part in pair
        ):
            raise Hint(
                "Letters are not tokens: the table is asked by number."
            )
        if found and found == [
            pair for pair in pairs if pair not in expected
        ]:
            raise Hint(
                "These are the pairs that the table has seen; the others are asked for."
            )
        if found == [
            pair for pair in expected if tokenizer.bos not in pair
        ]:
            raise Hint(
                f"Almost: look at how “{name}” begins and ends. The pairs with BOS are "
                "questions to the model, too."
            )
        if expected and not found:
            raise Hint(
                f"“{name}” has a pair that the table has never seen. Look into its cell of "
                "counts: with smoothing of 1, every probability is above 0."
            )
        raise Hint(
            f"For “{name}” the list should be {expected}, and it is {found}."
        )
