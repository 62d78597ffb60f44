from snippets.ready import step0_setup

names, tokenizer, counts = step0_setup(50)


def impossible_pairs(name):
    """List the pairs of tokens that have probability 0 without smoothing."""
    tokens = tokenizer.document(name)
    pairs = []
    for token, target in zip(tokens, tokens[1:]):
        if counts[token][target] == 0:
            pairs.append((token, target))
    return pairs


for name in ("maria", "emma", "ben"):
    print(name, impossible_pairs(name))
