"""How many of the names that a model invents are in the dataset, counted."""

import json
import random
from functools import cache
from pathlib import Path

from microgpt import GPT, Tokenizer, load_model, load_names
from microgpt.engines import lists
from microgpt.engines.tape import Matrix, Tape, softmax
from snippets import step0

DATA = Path(__file__).parents[2] / "docs/data/memorised.json"
TEMPERATURES = {"0.2": 0.2, "0.5": 0.5, "0.8": 0.8, "1.0": 1.0, "1.5": 1.5}
TRAINED = 1000  # names, one for each step
HUNDREDS = 10
LONG = 4  # letters; a shorter name is easily hit by chance

Counts = dict[str, list[int]]


def of_the_model(temperature: float) -> Counts:
    """Let the trained model invent names, as `sample` does, and count.

    The engine over matrices computes each prediction once, for all temperatures.
    """
    _, tokenizer, _ = trained()
    rng = random.Random(42)
    samples = []
    for _ in range(100 * HUNDREDS):
        name = ""
        while len(name) < 16:
            weights = softmax([logit / temperature for logit in logits_after(name)])
            token = rng.choices(range(tokenizer.vocab_size), weights)[0]
            if token == tokenizer.bos:
                break
            name += tokenizer.decode([token])
        samples.append(name)
    return counts(samples)


@cache
def logits_after(text: str) -> list[float]:
    """Return what the trained model says after these letters."""
    model, tokenizer, weights = trained()
    read = tokenizer.document(text)[:-1]
    return [*lists.logits(Tape(), model, weights, read).data[-1]]


@cache
def trained() -> tuple[GPT, Tokenizer, dict[str, Matrix]]:
    """Return the trained model, and the numbers in its weights."""
    model, tokenizer = load_model()
    return model, tokenizer, lists.numbers(model)


def of_the_table() -> Counts:
    """Let the table of Step 0, which has learnt the same names, invent, and count."""
    names = shuffled_names()
    tokenizer = Tokenizer(names)
    table = learnt_table(names, tokenizer)
    rng = random.Random(42)
    draws = range(100 * HUNDREDS)
    return counts([step0.sample(table, tokenizer, rng) for _ in draws])


def counts(samples: list[str]) -> Counts:
    """Count after each hundred samples.

    `known` are in the dataset, and `long` those of them that are not short; `trained`
    were trained on, too. `distinct` are different from each other, and so are
    `distinct_known` and `distinct_trained`.
    """
    names = shuffled_names()
    dataset, seen = set(names), set(names[:TRAINED])
    found: Counts = {}
    for end in range(100, len(samples) + 1, 100):
        some = samples[:end]
        different = set(some)
        for column, count in {
            "known": sum(name in dataset for name in some),
            "long": sum(name in dataset and len(name) >= LONG for name in some),
            "trained": sum(name in seen for name in some),
            "distinct": len(different),
            "distinct_known": len(different & dataset),
            "distinct_trained": len(different & seen),
        }.items():
            found.setdefault(column, []).append(count)
    return found


def shuffled_names() -> list[str]:
    """Return the names in the order in which models learn them."""
    names = load_names()
    random.Random(42).shuffle(names)
    return names


def losses_on_trained_names() -> dict[str, float]:
    """Return the loss per token of the table and of the model on what they have read."""
    names = shuffled_names()
    model, tokenizer = load_model()
    table = learnt_table(names, tokenizer)
    totals = {"step0": 0.0, "step5": 0.0}
    predicted = 0
    for name in names[:TRAINED]:
        tokens = tokenizer.document(name)
        weight = len(tokens) - 1
        predicted += weight
        totals["step0"] += weight * step0.mean_loss(tokens, table)
        totals["step5"] += weight * lists.document_loss(model, tokens)
    return {step: float(f"{total / predicted:.6g}") for step, total in totals.items()}


def learnt_table(names: list[str], tokenizer: Tokenizer) -> step0.Counts:
    """Return what Step 0 has counted in its run."""
    table = step0.zero_counts(tokenizer.vocab_size)
    for _ in step0.train(names, tokenizer, table, TRAINED):
        pass
    return table


def write() -> None:
    """Count for each temperature and for the table, and write it all down."""
    rows = {name: of_the_model(each) for name, each in TEMPERATURES.items()}
    rows["counting"] = of_the_table()
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    seen = json.dumps(losses_on_trained_names())
    samples = ",\n".join(lines)
    DATA.write_text(f'{{"seen": {seen},\n"samples": {{\n{samples}}}}}\n')
