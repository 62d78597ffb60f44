"""A model with one head that has learnt sentences, recorded after its training."""

import json
import random
from functools import cache
from pathlib import Path

from microgpt import GPT, Config, Tokenizer, Value
from snippets import step1
from snippets.sentences import make_sentences

# Of the Trainer's run, which browsers have beside the packages
WEIGHTS_FILE = (
    Path(__file__).parents[2] / "docs/data" / "sentences-one-30k-weights.json"
)


@cache
def load_sentence_model() -> tuple[GPT, Tokenizer]:
    """Return a GPT that has read thirty thousand sentences, and its tokenizer."""
    tokenizer = Tokenizer(make_sentences(count=1000))  # which have all the characters
    weights = json.loads(WEIGHTS_FILE.read_text("utf-8"))
    config = Config(tokenizer.vocab_size, n_head=1, block_size=len(weights["wpe"]))
    model = GPT(config, random.Random(0))
    for name, rows in weights.items():
        model.weights[name] = [[Value(weight) for weight in row] for row in rows]
    return model, tokenizer


def logits_after(text: str) -> dict[str, float]:
    """Return the logit of each character to follow a text, and of "." for its end."""
    model, tokenizer = load_sentence_model()
    read = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(text)]:
        logits = model.forward(token, read)
    return dict(zip(f"{tokenizer.characters}.", [logit.data for logit in logits]))


def probabilities_after(text: str, temperature: float = 1.0) -> dict[str, float]:
    """Return how likely each character is to follow a text, and "." for its end."""
    logits = logits_after(text)
    p = step1.softmax([logit / temperature for logit in logits.values()])
    return dict(zip(logits, p))
