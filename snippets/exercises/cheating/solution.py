from snippets.ready import step0_setup
from snippets.step0 import count_pairs, mean_loss, train


def cheating(num_steps):
    """Return the mean loss of the names, each scored once counted."""
    names, tokenizer, counts = step0_setup(0)
    losses = []
    for name in names[:num_steps]:
        tokens = tokenizer.document(name)
        count_pairs(tokens, counts)
        losses.append(mean_loss(tokens, counts))
    return sum(losses) / num_steps


for num_steps in (1, 10, 100, 1000):
    honest = sum(train(*step0_setup(0), num_steps)) / num_steps
    print(f"{num_steps:4} {honest:.3f} {cheating(num_steps):.3f}")
