"""Count how many of the names that a model invents are in the dataset."""

import json
import random
from functools import partial
from pathlib import Path

from microgpt import load_model, sample
from microgpt.engines import lists
from snippets import step0
from snippets.ready import shuffled_names, step0_setup
from snippets.ready.losses import loss_per_token
from snippets.records.runs import round_to_six_digits
from weave.files import write_if_changed

ROOT = Path(__file__).parents[2]
TEMPERATURES = ("0.2", "0.5", "0.8", "1.0", "1.5")  # as the record spells them
TRAINING_NAME_COUNT = 1000  # one for each step
SAMPLE_COUNT = 1000

KnownCounts = dict[str, list[int]]  # by column, after each hundred samples


def count_model_samples(temperature: float) -> KnownCounts:
    """Sample names from the trained model, and count the known ones."""
    model, tokenizer = load_model()
    rng, draws = random.Random(42), range(SAMPLE_COUNT)
    samples = [sample(model, tokenizer, rng, temperature) for _ in draws]
    return count_known_names(samples)


def count_table_samples() -> KnownCounts:
    """Sample names from the table of Step 0, and count the known ones."""
    _, tokenizer, table = step0_setup(TRAINING_NAME_COUNT)
    rng, draws = random.Random(42), range(SAMPLE_COUNT)
    return count_known_names([step0.sample(table, tokenizer, rng) for _ in draws])


def count_known_names(samples: list[str]) -> KnownCounts:
    """Count known names after each hundred samples.

    `known` samples are in the dataset, `trained` ones were also trained on. `long` ones
    are known and have at least four letters, so that chance seldom hits them. The
    columns `distinct…` count equal samples once.
    """
    names, _ = shuffled_names()
    dataset, training = set(names), set(names[:TRAINING_NAME_COUNT])
    counts: KnownCounts = {}
    for end in range(100, len(samples) + 1, 100):
        first, distinct = samples[:end], set(samples[:end])
        for column, count in {
            "known": sum(name in dataset for name in first),
            "long": sum(name in dataset and len(name) > 3 for name in first),
            "trained": sum(name in training for name in first),
            "distinct": len(distinct),
            "distinct_known": len(distinct & dataset),
            "distinct_trained": len(distinct & training),
        }.items():
            counts.setdefault(column, []).append(count)
    return counts


def measure_losses_on_training_names() -> dict[str, float]:
    """Return the losses per token of table and model on their training names."""
    names, tokenizer, table = step0_setup(TRAINING_NAME_COUNT)
    model, _ = load_model()
    documents = [tokenizer.document(name) for name in names[:TRAINING_NAME_COUNT]]
    losses = {
        "step0": loss_per_token(partial(step0.mean_loss, counts=table), documents),
        "step5": loss_per_token(partial(lists.document_loss, model), documents),
    }
    return {step: round_to_six_digits(loss) for step, loss in losses.items()}


def write_record() -> None:
    """Write the counts for each temperature and for the table, and the losses."""
    rows = {name: count_model_samples(float(name)) for name in TEMPERATURES}
    rows["counting"] = count_table_samples()
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    losses = json.dumps(measure_losses_on_training_names())
    samples = ",\n".join(lines)
    text = f'{{"seen": {losses},\n"samples": {{\n{samples}}}}}\n'
    write_if_changed(ROOT / "docs/data/memorised.json", text.encode())
