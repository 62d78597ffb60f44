"""Train models on made-up sentences: `python -m bench.sentences`.

A verb must agree with a noun far in front of it, which names hardly ever ask for. As in
`bench.final_losses`, a seed decides what is held out, the first weights and the order of
the sentences, and each model learns at its own best rate. Beside its loss stands the
share of hard sentences in which it finds the right verb likelier than the wrong one.
What is recorded is not trained again.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from bench.count_tables import last_tokens
from bench.final_losses import Recipe, Study, TableRecipe, TrainedModels, run_studies
from bench.recipes import ABLATIONS, SGD_RATE_CANDIDATES, NetworkRecipe, Split
from bench.results import FINAL_LOSSES_FILE
from microgpt import Config, Tokenizer
from snippets.sentences import OPENINGS, is_hard, make_sentences, share_right

SENTENCES_FILE = FINAL_LOSSES_FILE.with_name("sentences.json")
SENTENCE_COUNTS = (3000, 10_000, 30_000, 100_000)
MAX_HARD_SENTENCES = 400
HEADS = {1: "one head", 2: "two heads", 4: "four heads"}
RATES = (0.003, 0.005, 0.01, 0.02, 0.03, 0.05), 0.02


class SentenceSplit(Split):
    """Sentences, shuffled by a seed; those only in the last tenth are held out."""

    def __init__(self, sentences: Sequence[str], seed: int) -> None:
        self.seed = seed
        shuffled = random.Random(seed).sample(sentences, len(sentences))
        self.tokenizer = Tokenizer(shuffled)
        count = 9 * len(shuffled) // 10
        self.training = list(map(self.tokenizer.document, shuffled[:count]))
        seen = set(shuffled[:count])
        # Not sorted, since the first of them in the alphabet all begin alike
        unseen = [x for x in dict.fromkeys(shuffled[count:]) if x not in seen]
        self.held_out = list(map(self.tokenizer.document, unseen))
        self.hard = [*filter(is_hard, unseen)][:MAX_HARD_SENTENCES]


def recipes(config: Config) -> dict[str, Recipe]:
    """Return a recipe with these sizes, and others with one difference each."""
    network = partial(NetworkRecipe, candidates=RATES)
    two_layers = replace(config, n_layer=2)
    networks = {
        "all": network(config),
        **{
            f"without {name}": network(config, parts)
            for name, parts in ABLATIONS.items()
        },
        **{name: network(replace(config, n_head=n)) for n, name in HEADS.items()},
        "two layers": network(two_layers),
        "two layers, without queries": network(two_layers, ABLATIONS["queries"]),
        **{f"width {n}": network(replace(config, n_embd=n)) for n in (8, 32)},
        "SGD": network(config, sgd=True, candidates=SGD_RATE_CANDIDATES),
    }
    tables = {f"{n} letters": TableRecipe((last_tokens(n),)) for n in (2, 4, 8, 12, 16)}
    del networks[HEADS[config.n_head]]  # it is "all"
    return networks | tables


def hard_case_statistics(models: TrainedModels) -> dict[str, Any]:
    """Return for each model the share of hard held-out sentences with the right verb."""
    shares = []
    for split, model in models:
        assert isinstance(split, SentenceSplit)
        loss = partial(total_loss, model, split.tokenizer)
        shares.append(round(share_right(split.hard, loss), 4))
    return {"right": shares}


def total_loss(model: Any, tokenizer: Tokenizer, text: str) -> float:
    """Return a model's loss on a text, in nats, summed over its tokens."""
    return float(model.loss_per_token([tokenizer.document(text)])) * (len(text) + 1)


SentenceStudy = partial(
    Study, split_type=SentenceSplit, statistics=hard_case_statistics, comparisons={}
)
STUDIES = {
    "plain": SentenceStudy(
        make_sentences(),
        SENTENCE_COUNTS,
        recipes=recipes(Config(n_head=1, block_size=72)),
    ),
    "openings": SentenceStudy(
        make_sentences(OPENINGS),
        SENTENCE_COUNTS[2:],
        recipes=recipes(Config(block_size=72)),
    ),
}

if __name__ == "__main__":
    run_studies(SENTENCES_FILE, STUDIES)
