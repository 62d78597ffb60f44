"""How many of the names that a model invents are in the dataset, counted."""

import json
import random
from functools import partial
from pathlib import Path

from microgpt import load_model, sample
from microgpt.engines import lists
from snippets import step0
from snippets.ready import counted, shuffled
from snippets.ready.losses import loss_per_token
from snippets.records.runs import round_to_six_digits
from weave.files import write_if_changed

DATA = Path(__file__).parents[2] / "docs/data/memorised.json"
TEMPERATURES = {"0.2": 0.2, "0.5": 0.5, "0.8": 0.8, "1.0": 1.0, "1.5": 1.5}
TRAINING_NAME_COUNT = 1000  # names, one for each step
HUNDREDS = 10
MIN_LONG_LENGTH = 4  # letters; a shorter name is easily hit by chance

Counts = dict[str, list[int]]


def count_model_samples(temperature: float) -> Counts:
    """Sample names from the trained model, and count the known ones."""
    model, tokenizer = load_model()
    rng, draws = random.Random(42), range(100 * HUNDREDS)
    return count_known_names(
        [sample(model, tokenizer, rng, temperature) for _ in draws]
    )


def count_table_samples() -> Counts:
    """Sample names from the table of Step 0, and count the known ones."""
    _, tokenizer, table = counted(TRAINING_NAME_COUNT)
    rng = random.Random(42)
    draws = range(100 * HUNDREDS)
    return count_known_names([step0.sample(table, tokenizer, rng) for _ in draws])


def count_known_names(samples: list[str]) -> Counts:
    """Count after each hundred samples.

    `known` are in the dataset, and `long` those of them that are not short; `trained`
    were trained on, too. `distinct` are different from each other, and so are
    `distinct_known` and `distinct_trained`.
    """
    names, _ = shuffled()
    dataset, seen = set(names), set(names[:TRAINING_NAME_COUNT])
    found: Counts = {}
    for end in range(100, len(samples) + 1, 100):
        some = samples[:end]
        different = set(some)
        for column, count in {
            "known": sum(name in dataset for name in some),
            "long": sum(
                name in dataset and len(name) >= MIN_LONG_LENGTH for name in some
            ),
            "trained": sum(name in seen for name in some),
            "distinct": len(different),
            "distinct_known": len(different & dataset),
            "distinct_trained": len(different & seen),
        }.items():
            found.setdefault(column, []).append(count)
    return found


def measure_losses_on_training_names() -> dict[str, float]:
    """Return the loss per token of the table and of the model on what they have read."""
    names, tokenizer, table = counted(TRAINING_NAME_COUNT)
    model, _ = load_model()
    documents = [tokenizer.document(name) for name in names[:TRAINING_NAME_COUNT]]
    losses = {
        "step0": loss_per_token(
            lambda tokens: step0.mean_loss(tokens, table), documents
        ),
        "step5": loss_per_token(partial(lists.document_loss, model), documents),
    }
    return {step: round_to_six_digits(loss) for step, loss in losses.items()}


def write_record() -> None:
    """Count for each temperature and for the table, and write it all down."""
    rows = {name: count_model_samples(each) for name, each in TEMPERATURES.items()}
    rows["counting"] = count_table_samples()
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    seen = json.dumps(measure_losses_on_training_names())
    samples = ",\n".join(lines)
    write_if_changed(
        DATA, f'{{"seen": {seen},\n"samples": {{\n{samples}}}}}\n'.encode()
    )
