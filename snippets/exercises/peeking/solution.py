from microgpt import attend
from snippets.ready.attention import peeking_losses


def gather(queries, keys, values):
    """Let each letter take from all letters of the name."""
    gathered = []
    for query in queries:
        taken = attend(query, keys, values)
        gathered.append(taken)
    return gathered


whole, letter_by_letter = peeking_losses(gather)
print(f"the whole name at once: {whole:.2f}")
print(f"letter by letter:       {letter_by_letter:.2f}")
