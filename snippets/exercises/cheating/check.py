"""Checks the mean loss of a model that is told each name before it is asked."""

from snippets.exercises import Hint, Program, close, function
from snippets.ready import counted
from snippets.step0 import count_pairs, mean_loss

STEPS = (10, 1, 100)


def check(program: Program) -> None:
    """Compare the mean losses of short runs."""
    cheating = function(program, "cheating")
    for num_steps in STEPS:
        found = cheating(num_steps)
        if not isinstance(found, float):
            raise Hint("Return one number: the mean of the losses.")
        right = mean(num_steps, before=1)
        if close(found, right):
            continue
        mistakes = {
            "This is the honest loss: the name is scored before it is counted. Change "
            "the order of the two.": mean(num_steps, before=0),
            "Each name is counted twice: once is enough to cheat.": mean(
                num_steps, before=2
            ),
            "All names are counted before the first is scored. Go on name by name: "
            "count one, score it, then take the next.": mean_after_all(
                num_steps
            ),
            "This is the sum of the losses; divide it by their number.": num_steps
            * right,
        }
        for hint, mistake in mistakes.items():
            if close(found, mistake):
                raise Hint(hint)
        raise Hint(
            f"For {num_steps} names the mean loss is not {found:.4f}."
        )


def mean(num_steps: int, before: int) -> float:
    """Return the mean loss where each name is counted so often before it is scored."""
    names, tokenizer, counts = counted(0)
    losses = []
    for tokens in map(tokenizer.document, names[:num_steps]):
        for _ in range(before):
            count_pairs(tokens, counts)
        losses.append(mean_loss(tokens, counts))
        if before == 0:
            count_pairs(tokens, counts)
    return sum(losses) / num_steps


def mean_after_all(num_steps: int) -> float:
    """Return the mean loss where all names are counted before the first is scored."""
    names, tokenizer, counts = counted(num_steps)
    documents = map(tokenizer.document, names[:num_steps])
    return (
        sum(mean_loss(tokens, counts) for tokens in documents)
        / num_steps
    )
