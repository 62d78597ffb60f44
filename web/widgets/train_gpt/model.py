"""The whole model, trained in the page, and what there is in it after some steps."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypedDict

from microgpt import GPT, Config, Run, Tokenizer, sample
from microgpt.autograd import Value
from microgpt.cli.train import SAVE_EVERY
from microgpt.engines import lists
from microgpt.engines.collector import collector_paused
from widgets._gpt import gpt, numbers, read_with
from widgets._inputs import whole
from widgets._names import document, shuffled_names, tokenizer_of_the_names
from widgets._numbers import shown, significant
from widgets._runs import begin, file_of, names_of, run_from

RECORDED = Path(__file__).with_name("train_gpt.json")
RECORDED_WEIGHTS = Path(__file__).with_name("train_gpt_weights.json")
MOST_STEPS = 3000
WINDOW = 100  # steps, over which a mean is taken
# Steps after which the model is kept, to be looked into, and the last
STATES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 1500, 2000, 2500)
LOOKS = (0, 100, 200, 500, 1000, 2000)  # and the last
REPORT_EVERY = 0.25  # seconds
SAMPLES = 6
TEMPERATURE = 0.5
HELD_OUT = 50  # names on which the held-out loss is measured
LONGEST = 15  # letters that the model reads after BOS
SHOWN = "wpe"  # the matrix that the page shows at first

Task = Literal["page", "recorded", "train", "open", "attention"]
Table = list[list[float]]
Matrices = dict[str, Table]


class TrainGptRun(TypedDict):
    """A run: what it learns from, and after which steps its model is kept.

    `held_out` counts the names, never learnt from, on which its loss is measured.
    """

    steps: int
    seed: int
    names: int
    cut: int
    held_out: int
    parameters: int
    kept: list[int]
    vocabulary: list[str]


class TrainGptLook(TypedDict):
    """What the model can do after a step: its held-out loss, if any, and new names."""

    step: int
    held_out: float | None
    samples: list[str]


class TrainGptState(TypedDict):
    """The model after a step: its weights, and the gradient of the next name's loss.

    `sizes` and `slopes` are the root mean squares of each matrix of either.
    """

    step: int
    weights: Matrices
    sizes: dict[str, float]
    document: str
    gradient: Matrices
    slopes: dict[str, float]


class TrainGpt(TypedDict):
    """What a run has done since the part before: the parts of a run add up.

    `attention` has, for each new state, or each that was given, a table for each head:
    how much each token of `name` takes from those before. `checkpoint` is the file of
    the run, now and then. `pace` and `left` are seconds: of a step, and of all that are
    left.
    """

    run: TrainGptRun | None
    losses: list[float]
    means: list[float]
    looks: list[TrainGptLook]
    states: list[TrainGptState]
    name: str
    tokens: list[str]
    attention: list[list[Table]]
    step: int
    checkpoint: str
    pace: float
    left: float


def train_gpt(
    steps: float,
    seed: float,
    name: str,
    task: Task = "train",
    names: str = "",
    checkpoint: str = "",
    losses: list[float] | None = None,
    weights: list[Matrices] | None = None,
) -> Iterator[TrainGpt]:
    """Do a task of the widget, and yield what comes of it, part by part.

    "page" gives the recorded run as the page begins with it, "recorded" all of its
    states. "train" trains on the names given, or on those of the guide, from the start
    or from a checkpoint, before which there were `losses`; "open" looks into a
    checkpoint. "attention" gives the attention of a name for some weights.
    """
    if task == "page":
        yield recorded_run(name)
        return
    if task == "recorded":
        yield recorded_states(name)
        return
    documents = names_of(names)
    if task == "attention":
        tokenizer = Tokenizer(documents)
        models = (model_of(each, tokenizer) for each in weights or [])
        yield read(nothing(0), name, tokenizer, models)
        return
    if checkpoint:
        run = opened(checkpoint, documents)
    else:
        most = whole(steps, "steps", 1, MOST_STEPS)
        run = begin(documents, most, whole(seed, "seed", 0, 2**31))
    try:
        document(name, LONGEST, tokenizer=run.tokenizer)
    except ValueError:
        name = run.documents[0][:LONGEST]
    if task == "open":
        part = nothing(run.step)
        part["run"] = about(run)
        add_state(part, run, name)
        part["looks"].append(look(run))
        yield part
    else:
        yield from train(run, name, losses or [])


def train(run: Run, name: str, before: list[float]) -> Iterator[TrainGpt]:
    """Take the steps that a run has left; yield what there is every now and then."""
    part = nothing(run.step)
    part["run"] = about(run)
    if run.step == 0:
        add_state(part, run, name)
        part["looks"].append(look(run))
        part["checkpoint"] = file_of(run)
    yield part
    first, began = run.step, time.monotonic()
    sent, losses = began, list(before)
    part = nothing(first)
    for loss in run.train():
        step, last = run.step, run.step == run.num_steps
        losses.append(shown(loss, 3))
        part["step"] = step
        part["losses"].append(losses[-1])
        part["means"].append(mean(losses))
        if step in STATES or last:
            add_state(part, run, name)
        if step in LOOKS or last:
            part["looks"].append(look(run))
        if step % SAVE_EVERY == 0 or last:
            part["checkpoint"] = file_of(run)
        now = time.monotonic()
        if now - sent > REPORT_EVERY or last or part["checkpoint"]:
            part["pace"] = significant((now - began) / (step - first))
            part["left"] = shown(part["pace"] * (run.num_steps - step), 1)
            yield part
            sent, part = now, nothing(step)


def opened(checkpoint: str, documents: list[str]) -> Run:
    """Return the run of a file, if it can go on here."""
    run = run_from(checkpoint, documents)
    if run.model.config != Config(vocab_size=run.tokenizer.vocab_size):
        raise ValueError(
            "this file has a model of other sizes than the one of this page; the "
            "command line can go on with it"
        )
    if run.num_steps > MOST_STEPS:
        raise ValueError(
            f"this file has a run of {run.num_steps:,} steps, more than this page takes; "
            "the command line can go on with it"
        )
    return run


def nothing(step: int) -> TrainGpt:
    """Return a part in which nothing has happened yet."""
    return TrainGpt(
        run=None,
        losses=[],
        means=[],
        looks=[],
        states=[],
        name="",
        tokens=[],
        attention=[],
        step=step,
        checkpoint="",
        pace=0.0,
        left=0.0,
    )


def about(run: Run) -> TrainGptRun:
    """Return what a run learns from."""
    tokenizer = run.tokenizer
    return TrainGptRun(
        steps=run.num_steps,
        seed=run.seed,
        names=len(run.documents),
        cut=sum(len(name) > LONGEST for name in run.documents),
        held_out=len(held_out(run)),
        parameters=run.config.num_parameters,
        kept=[step for step in STATES if step < run.num_steps] + [run.num_steps],
        vocabulary=token_names(tokenizer, range(tokenizer.vocab_size)),
    )


def token_names(tokenizer: Tokenizer, tokens: list[int] | range) -> list[str]:
    """Return what readers call some tokens; what cannot be seen has a sign."""
    names = [*tokenizer.characters, "BOS"]
    return [
        name if name.isprintable() and not name.isspace() else "␣"
        for name in (names[token] for token in tokens)
    ]


def mean(losses: list[float]) -> float:
    """Return the mean of the last losses, or of those that there are."""
    last = losses[-WINDOW:]
    return shown(sum(last) / len(last), 3)


# What there is to see after a step


def held_out(run: Run) -> list[str]:
    """Return some of the names that the run will never have learnt from."""
    return run.documents[run.num_steps :][:HELD_OUT]


def look(run: Run) -> TrainGptLook:
    """Ask the model for held-out names, and for new ones; the run's chance is its own."""
    rng = random.Random(run.seed)
    with collector_paused():
        samples = [
            sample(run.model, run.tokenizer, rng, TEMPERATURE) for _ in range(SAMPLES)
        ]
    unseen = held_out(run)
    loss = shown(held_out_loss(run.model, run.tokenizer, unseen)) if unseen else None
    return TrainGptLook(step=run.step, held_out=loss, samples=samples)


def held_out_loss(model: GPT, tokenizer: Tokenizer, names: list[str]) -> float:
    """Return the loss per token on some names, in nats."""
    total = predicted = 0.0
    for name in names:
        tokens = tokenizer.document(name)
        count = min(len(tokens) - 1, model.config.block_size)
        total += lists.document_loss(model, tokens) * count
        predicted += count
    return total / predicted


def add_state(part: TrainGpt, run: Run, name: str) -> None:
    """Add the model as it is, and its attention."""
    upcoming = run.documents[run.step % len(run.documents)]
    part["states"].append(state(run.model, run.tokenizer, run.step, upcoming))
    read(part, name, run.tokenizer, [run.model])


def read(
    part: TrainGpt, name: str, tokenizer: Tokenizer, models: Iterable[GPT]
) -> TrainGpt:
    """Let models read a name; return the part, with their attention added."""
    tokens = document(name, LONGEST, tokenizer=tokenizer)[:-1]
    part["name"], part["tokens"] = name, token_names(tokenizer, tokens)
    part["attention"] += [attention(model, tokens) for model in models]
    return part


def state(model: GPT, tokenizer: Tokenizer, step: int, upcoming: str) -> TrainGptState:
    """Return the weights of a model and the gradient of a name's loss."""
    lists.gradient(model, tokenizer.document(upcoming))
    weights, sizes = {}, {}
    gradient, slopes = {}, {}
    for name, matrix in model.weights.items():
        parameters = [p for row in matrix for p in row]
        weights[name] = [[shown(p.data) for p in row] for row in matrix]
        gradient[name] = [[significant(p.grad, 2) for p in row] for row in matrix]
        sizes[name] = significant(size([p.data for p in parameters]))
        slopes[name] = significant(size([p.grad for p in parameters]))
        for parameter in parameters:
            parameter.grad = 0.0
    return TrainGptState(
        step=step,
        weights=weights,
        sizes=sizes,
        document=upcoming,
        gradient=gradient,
        slopes=slopes,
    )


def size(values: list[float]) -> float:
    """Return the root mean square of some numbers."""
    return math.sqrt(sum(x * x for x in values) / len(values))


def attention(model: GPT, tokens: list[int]) -> list[Table]:
    """Return for each head how much each position takes from itself and those before."""
    tables: list[Table] = [[] for _ in range(model.config.n_head)]
    with collector_paused():
        for forward in read_with(model, tokens):
            heads = forward.all("attention")[0].all("attend")
            for table, head in zip(tables, heads, strict=True):
                weights = numbers(head.variables["weights"])
                table.append([shown(w, 3) for w in weights])
    return [
        [[*row, *[0.0] * (len(tokens) - len(row))] for row in table] for table in tables
    ]


def model_of(weights: Matrices, tokenizer: Tokenizer) -> GPT:
    """Return a model that has these weights."""
    model = GPT(Config(vocab_size=tokenizer.vocab_size), random.Random(0))
    for name, matrix in weights.items():
        model.weights[name] = [[Value(w) for w in row] for row in matrix]
    return model


# The run that was recorded


def recorded_run(name: str) -> TrainGpt:
    """Return the run of 1,000 steps with seed 42, and of its last state one matrix."""
    part: TrainGpt = json.loads(RECORDED.read_text(encoding="utf-8"))
    return read(part, name, tokenizer_of_the_names(), [gpt("trained")])


def recorded_states(name: str) -> TrainGpt:
    """Return all states of the recorded run, and the attention of a name in each."""
    names, tokenizer = shuffled_names(), tokenizer_of_the_names()
    part, models = nothing(0), recorded_models()
    for step, model in models.items():
        part["states"].append(state(model, tokenizer, step, names[step % len(names)]))
    return read(part, name, tokenizer, models.values())


def recorded_models() -> dict[int, GPT]:
    """Return the models of the recorded run, by the steps after which it kept them."""
    tokenizer = tokenizer_of_the_names()
    kept = json.loads(RECORDED_WEIGHTS.read_text(encoding="utf-8"))
    between = {int(step): model_of(each, tokenizer) for step, each in kept.items()}
    return {0: gpt("untrained"), **between, 1000: gpt("trained")}
