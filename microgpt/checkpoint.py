"""Saving and loading: one JSON file for a model, or a whole run.

Such a file holds numbers and text only: unlike a pickle, it cannot run
anything.
"""

import hashlib
import json
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from reprlib import repr as short_repr
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

FILE_FORMAT, FILE_VERSION = "microgpt", 1
SAVED_SETTINGS = ("seed", "num_steps", "batch_size", "learning_rate")


class CheckpointError(ValueError):
    """A model or run that cannot be saved, loaded or resumed."""


def save_model(
    path: str | Path,
    model: GPT,
    tokenizer: Tokenizer,
) -> None:
    """Write a model as JSON: sizes, characters and exact weights.

    Raises:
        CheckpointError: A weight is infinite or not a number.
        OSError: The file cannot be written; what it held before stays.
    """
    weights = [parameter.data for parameter in model.parameters()]
    fields = _model_fields(model.config, tokenizer, weights)
    _write_json(path, fields)


def save_run(path: str | Path, run: Run) -> None:
    """Write a run as JSON, for `load_run` to go on with it.

    Raises:
        CheckpointError: A weight is infinite or not a number.
        OSError: The file cannot be written; what it held before stays.
    """
    state = run.engine.state()
    optimizer = {
        "first": list(state.first_moments),
        "second": list(state.second_moments),
        "steps": state.steps_taken,
        "beta1": state.beta1,
        "beta2": state.beta2,
        "epsilon": state.epsilon,
    }
    fields = {
        "documents_sha256": _documents_sha256(run.documents),
        **{name: getattr(run, name) for name in SAVED_SETTINGS},
        "optimizer": optimizer,
        "random_state": run.rng.getstate(),
    }
    content = _model_fields(run.config, run.tokenizer, state.weights)
    _write_json(path, content | {"run": fields})


def load_model(path: str | Path | None = None) -> tuple[GPT, Tokenizer]:
    """Read a model, saved by `save_model` or by `save_run`.

    Args:
        path: The file. Without one, load the model that ships with the
            package, trained for 1,000 steps with the command line's
            defaults.

    Raises:
        CheckpointError: The file holds no model, or is damaged.
        OSError: The file cannot be read.
    """
    if path is None:
        path = Path(__file__).with_name("trained.json")
    content = _read_model_file(path)
    with _raise_as_checkpoint_error(path):
        config = parse_config(content)
        weights = parse_weights(config, content["weights"])
        tokenizer = Tokenizer([content["characters"]])
    return build_model(config, weights), tokenizer


def load_run(
    path: str | Path,
    documents: Sequence[str],
    engine: EngineFactory = dot.Engine,
) -> Run:
    """Read a run that `save_run` wrote, to go on from there.

    Args:
        path: The file.
        documents: The documents that the run began with.
        engine: The engine to go on with; the run may have had another.

    Raises:
        CheckpointError: The file holds no run, is damaged, or its run
            began with other documents.
        OSError: The file cannot be read.
    """
    content = _read_model_file(path)
    if "run" not in content:
        raise CheckpointError(
            f"{path} has a model but no run to resume:"
            " give a file that microgpt train --save wrote"
        )
    with _raise_as_checkpoint_error(path):
        config, saved = parse_config(content), content["run"]
        num_steps = parse_number(saved["num_steps"], int, minimum=1)
        seed = parse_number(saved["seed"], int)
        batch_size = parse_number(saved["batch_size"], int, minimum=1)
        learning_rate = parse_number(saved["learning_rate"], minimum=0)
        digest = saved["documents_sha256"]
        weights = parse_weights(config, content["weights"])
        state = parse_optimizer_state(
            weights, saved["optimizer"], num_steps
        )
        random_state = parse_random_state(saved["random_state"])
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
        if digest == _documents_sha256(run.documents):
            run.engine.restore(state)
            run.rng.setstate(random_state)
            return run
    raise CheckpointError(
        f"{path} was trained on different documents:"
        " give --docs the file that it was trained on, unchanged,"
        " or leave out --resume to begin a new run"
    )


def _documents_sha256(documents: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(documents).encode()).hexdigest()


def _model_fields(
    config: Config, tokenizer: Tokenizer, weights: Sequence[float]
) -> dict[str, Any]:
    numbers = iter(weights)
    return {
        "format": FILE_FORMAT,
        "version": FILE_VERSION,
        "config": asdict(config),
        "characters": tokenizer.characters,
        "weights": {
            name: [list(islice(numbers, columns)) for _ in range(rows)]
            for name, (rows, columns) in config.shapes().items()
        },
    }


def _write_json(path: str | Path, content: dict[str, Any]) -> None:
    try:
        text = json.dumps(content, allow_nan=False)
    except ValueError:
        raise CheckpointError(
            "expected finite weights, got one that is infinite or NaN"
        ) from None
    write_atomically(path, text.encode() + b"\n")


def is_model_file(first_bytes: bytes) -> bool:
    """Return whether these bytes begin a model file, damaged or not."""
    mark = f'"format": "{FILE_FORMAT}"'.encode()
    return first_bytes.startswith(b"{") and mark in first_bytes


def _read_model_file(path: str | Path) -> dict[str, Any]:
    with os_errors_as("read", path):
        data = Path(path).read_bytes()
    content = None
    with suppress(ValueError, RecursionError):
        content = json.loads(data)
    if (
        not isinstance(content, dict)
        or content.get("format") != FILE_FORMAT
    ):
        problem = "not a model file: give a"
        if is_model_file(data[:1000]):
            problem = "damaged: give another"
        raise CheckpointError(
            f"{path} is {problem} file that microgpt train --save wrote"
        )
    if content.get("version") != FILE_VERSION:
        raise CheckpointError(
            f"expected version {FILE_VERSION} of the format in {path},"
            f" got {content.get('version')!r}:"
            " install the version of microgpt that wrote it"
        )
    return content


@contextmanager
def _raise_as_checkpoint_error(path: str | Path) -> Iterator[None]:
    """Turn errors in the content of a file into a CheckpointError."""
    try:
        yield
        return
    except KeyError as error:
        problem = f"it has no {error}"
    except (LookupError, TypeError, AttributeError):
        problem = "a part of it is not of the right type"
    except (ValueError, OverflowError) as error:
        problem = str(error)
    raise CheckpointError(
        f"{path} is damaged ({problem}):"
        " give another file that microgpt train --save wrote"
    )


def parse_config(content: dict[str, Any]) -> Config:
    """Parse the config; ValueError unless it matches the characters."""
    sizes = content["config"]
    fields = {name: parse_number(n, int) for name, n in sizes.items()}
    config = Config(**fields)
    if asdict(config) != sizes:
        raise ValueError("a size is missing")
    tokenizer = Tokenizer([content["characters"]])
    expected = tokenizer.characters, tokenizer.vocab_size
    if expected != (content["characters"], config.vocab_size):
        raise ValueError(
            "its characters are out of order, or do not fit its sizes"
        )
    return config


def parse_weights(
    config: Config,
    weights: dict[str, Any],
) -> list[float]:
    """Return all weights as one list, in the order of the shapes."""
    if config.n_layer > len(weights) or config.shapes() != {
        name: (len(matrix), *{len(row) for row in matrix})
        for name, matrix in weights.items()
    }:
        raise ValueError("its weights do not fit its sizes")
    matrices = (weights[name] for name in config.shapes())
    rows = (row for matrix in matrices for row in matrix)
    return [parse_number(x) for row in rows for x in row]


def parse_optimizer_state(
    weights: list[float], optimizer: dict[str, Any], num_steps: int
) -> EngineState:
    """Return weights and optimizer after at most `num_steps` steps."""
    state = EngineState(
        weights,
        [parse_number(x) for x in optimizer["first"]],
        [parse_number(x, minimum=0) for x in optimizer["second"]],
        parse_number(optimizer["steps"], int, 0, num_steps + 1),
        beta1=parse_number(optimizer["beta1"], minimum=0, limit=1),
        beta2=parse_number(optimizer["beta2"], minimum=0, limit=1),
        epsilon=parse_number(optimizer["epsilon"], minimum=0),
    )
    moments = state.first_moments, state.second_moments
    if {*map(len, moments)} != {len(weights)}:
        raise ValueError("its optimizer does not fit its sizes")
    return state


def parse_random_state(fields: Any) -> tuple[Any, ...]:
    """Return the state of a generator, for `Random.setstate`."""
    version, words, gauss_next = fields
    if gauss_next is not None:
        gauss_next = parse_number(gauss_next)
    state = version, tuple(words), gauss_next
    random.Random().setstate(state)  # which raises if it is wrong
    return state


def parse_number(
    x: Any,
    type_: type[float] = float,
    minimum: float = -math.inf,
    limit: float = math.inf,
) -> Any:
    """Return a finite number as a float, or as an int if asked to.

    Raise ValueError for anything else, and outside minimum ≤ x < limit.
    """
    if type(x) not in (int, type_) or not math.isfinite(x):
        noun = "whole" if type_ is int else "finite"
        got = short_repr(x)
        raise ValueError(f"expected a {noun} number, got {got}")
    if x < minimum:
        raise ValueError(f"expected at least {minimum}, got {x}")
    if x >= limit:
        raise ValueError(f"expected less than {limit}, got {x}")
    return type_(x)
