"""Checks the mean loss of a model that is told each name before it is asked."""

from snippets.exercises import Hint, Program, close, function
from snippets.ready import counted
from snippets.step0 import Counts, count_pairs, mean_loss

STEPS = (10, 1, 100)


def check(program: Program) -> None:
    """Compare the mean losses of short runs."""
    cheating = function(program, "cheating")
    for num_steps in STEPS:
        found = cheating(num_steps)
        if not isinstance(found, float):
            raise Hint("Return one number: the mean of the losses.")
        if close(found, mean(num_steps, before=1)):
            continue
        if close(found, mean(num_steps, before=0)):
            raise Hint(
                "This is the honest loss: the name is scored before it is counted. Change "
                "the order of the two."
            )
        if close(found, mean(num_steps, before=2)):
            raise Hint(
                "Each name is counted twice: once is enough to cheat."
            )
        if close(found, mean_after_all(num_steps)):
            raise Hint(
                "All names are counted before the first is scored. Go on name by name: "
                "count one, score it, then take the next."
            )
        if close(found, num_steps * mean(num_steps, before=1)):
            raise Hint(
                "This is the sum of the losses; divide it by their number."
            )
        raise Hint(
            f"For {num_steps} names the mean loss is not {found:.4f}."
        )


def documents(num_steps: int) -> tuple[list[list[int]], Counts]:
    """Return the first names of the run as tokens, and an empty table."""
    names, tokenizer, counts = counted(0)
    return [
        tokenizer.document(name) for name in names[:num_steps]
    ], counts


def mean(num_steps: int, before: int) -> float:
    """Return the mean loss where each name is counted so often before it is scored."""
    names, counts = documents(num_steps)
    losses = []
    for tokens in names:
        for _ in range(before):
            count_pairs(tokens, counts)
        losses.append(mean_loss(tokens, counts))
        if before == 0:
            count_pairs(tokens, counts)
    return sum(losses) / num_steps


def mean_after_all(num_steps: int) -> float:
    """Return the mean loss where all names are counted before the first is scored."""
    names, counts = documents(num_steps)
    for tokens in names:
        count_pairs(tokens, counts)
    return (
        sum(mean_loss(tokens, counts) for tokens in names) / num_steps
    )
