"""Saving and loading: one JSON file for a model, or a whole run.

Such a file holds numbers and text only: unlike a pickle, it cannot run
anything.
"""

import hashlib
import json
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from microgpt.engines import dot
from microgpt.engines.protocol import (
    EngineFactory,
    EngineState,
    build_model,
)
from microgpt.engines.run import Run
from microgpt.files import os_errors_as, write_atomically
from microgpt.model import GPT, Config
from microgpt.tokenizer import Tokenizer

FORMAT, VERSION = "microgpt", 1
SETTINGS = ("seed", "num_steps", "batch_size", "learning_rate")


class CheckpointError(ValueError):
    """What cannot be saved, loaded or resumed, and why."""


def save_model(
    path: str | Path,
    model: GPT,
    tokenizer: Tokenizer,
) -> None:
    """Write sizes, characters and weights, to the last bit."""
    weights = [parameter.data for parameter in model.parameters()]
    _write(path, _model_fields(model.config, tokenizer, weights))


def save_run(path: str | Path, run: Run) -> None:
    """Write a model, and all that `load_run` needs to go on with it."""
    state = run.engine.state()
    optimizer = {
        name: list(value) if isinstance(value, Sequence) else value
        for name, value in vars(state).items()
        if name != "weights"
    }
    fields = {
        "documents_sha256": _digest(run.documents),
        **{name: getattr(run, name) for name in SETTINGS},
        "optimizer": optimizer,
        "random_state": run.rng.getstate(),
    }
    content = _model_fields(run.config, run.tokenizer, state.weights)
    _write(path, content | {"run": fields})


def load_model(path: str | Path | None = None) -> tuple[GPT, Tokenizer]:
    """Read a model, whether it was saved alone or with its run.

    Without a path, read the model that ships with the package: what a
    run of 1,000 steps has learnt, with the command line's defaults.
    Raise CheckpointError for a file that holds no model, and OSError
    for one that cannot be read.
    """
    if path is None:
        path = Path(__file__).with_name("trained.json")
    content = _read(path)
    with _damage_explained(path):
        config = config_of(content)
        weights = weights_of(config, content["weights"])
        tokenizer = Tokenizer([content["characters"]])
    return build_model(config, weights), tokenizer


def load_run(
    path: str | Path,
    documents: Sequence[str],
    engine: EngineFactory = dot.Engine,
) -> Run:
    """Read a run that began with these documents.

    It goes on with any engine, whichever wrote it. Raise
    CheckpointError for others, and for a file that holds no run;
    OSError for one that cannot be read.
    """
    content = _read(path)
    if "run" not in content:
        raise CheckpointError(
            f"{path} holds a model, but no run that could go on"
        )
    with _damage_explained(path):
        config, saved = config_of(content), content["run"]
        num_steps = number(saved["num_steps"], int, least=1)
        seed = number(saved["seed"], int)
        batch_size = number(saved["batch_size"], int, least=1)
        learning_rate = number(saved["learning_rate"], least=0)
        digest = saved["documents_sha256"]
        weights = weights_of(config, content["weights"])
        state = state_of(weights, saved["optimizer"], num_steps)
        random_state = random_state_of(saved["random_state"])
    if Tokenizer(documents).characters == content["characters"]:
        run = Run(
            documents,
            config,
            num_steps,
            seed,
            batch_size=batch_size,
            learning_rate=learning_rate,
            engine=engine,
        )
        if digest == _digest(run.documents):
            run.engine.restore(state)
            run.rng.setstate(random_state)
            return run
    raise CheckpointError(
        f"{path} was trained on other documents than these"
    )


def _digest(documents: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(documents).encode()).hexdigest()


def _model_fields(
    config: Config, tokenizer: Tokenizer, weights: Sequence[float]
) -> dict[str, Any]:
    rest = iter(weights)
    return {
        "format": FORMAT,
        "version": VERSION,
        "config": asdict(config),
        "characters": tokenizer.characters,
        "weights": {
            name: [list(islice(rest, columns)) for _ in range(rows)]
            for name, (rows, columns) in config.shapes().items()
        },
    }


def _write(path: str | Path, content: dict[str, Any]) -> None:
    try:
        text = json.dumps(content, allow_nan=False)
    except ValueError:
        raise CheckpointError(
            "a weight is infinite or not a number"
        ) from None
    write_atomically(path, text.encode() + b"\n")


def _read(path: str | Path) -> dict[str, Any]:
    try:
        with os_errors_as("read", path):
            content = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError):
        raise CheckpointError(
            f"{path} is damaged, or not a model file"
        ) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a model file of microgpt")
    if content.get("version") != VERSION:
        raise CheckpointError(
            f"{path} has version {content.get('version')!r} of the "
            f"format; this program reads version {VERSION}"
        )
    return content


@contextmanager
def _damage_explained(path: str | Path) -> Iterator[None]:
    """Say of a file whose content does not fit that it is damaged."""
    try:
        yield
        return
    except KeyError as error:
        problem = f"it has no {error}"
    except (LookupError, TypeError, AttributeError):
        problem = "a part of it is not of the right type"
    except (ValueError, OverflowError) as error:
        problem = str(error)
    raise CheckpointError(f"{path} is damaged: {problem}")


def config_of(content: dict[str, Any]) -> Config:
    """Read the sizes; compare them with the rest before building."""
    sizes, weights = content["config"], content["weights"]
    config = Config(**{n: number(x, int) for n, x in sizes.items()})
    if asdict(config) != sizes:
        raise ValueError("a size is missing")
    tokenizer = Tokenizer([content["characters"]])
    known = tokenizer.characters, tokenizer.vocab_size
    if known != (content["characters"], config.vocab_size):
        raise ValueError(
            "its characters are out of order, or do not fit its sizes"
        )
    if config.n_layer > len(weights) or config.shapes() != {
        name: (len(matrix), *{len(row) for row in matrix})
        for name, matrix in weights.items()
    }:
        raise ValueError("its weights do not fit its sizes")
    return config


def weights_of(config: Config, weights: dict[str, Any]) -> list[float]:
    """Return all weights in a row, in the order of the shapes."""
    matrices = (weights[name] for name in config.shapes())
    rows = (row for matrix in matrices for row in matrix)
    return [number(x) for row in rows for x in row]


def state_of(
    weights: list[float], saved: dict[str, Any], num_steps: int
) -> EngineState:
    """Return what a run has learnt, of as many steps as it may have."""
    state = EngineState(
        weights,
        first=[number(x) for x in saved["first"]],
        second=[number(x, least=0) for x in saved["second"]],
        steps=number(saved["steps"], int, 0, num_steps + 1),
        beta1=number(saved["beta1"], least=0, below=1),
        beta2=number(saved["beta2"], least=0, below=1),
        epsilon=number(saved["epsilon"], least=0),
    )
    if not len(state.first) == len(state.second) == len(weights):
        raise ValueError("its optimizer does not fit its sizes")
    return state


def random_state_of(saved: Any) -> tuple[Any, ...]:
    """Return the state of a generator, as `setstate` takes it."""
    version, words, gauss_next = saved
    gauss_next = None if gauss_next is None else number(gauss_next)
    state = version, tuple(words), gauss_next
    random.Random().setstate(state)  # or say what is wrong with it
    return state


def number(
    x: Any,
    kind: type[float] = float,
    least: float = -math.inf,
    below: float = math.inf,
) -> Any:
    """Return a finite number of a kind that lies within its limits."""
    if type(x) not in (int, kind) or not math.isfinite(x):
        raise ValueError("a value is not a finite number, or not whole")
    if not least <= x < below:
        raise ValueError("a number is out of range")
    return kind(x)
