"""All engines give the same losses, weights, files and messages."""

import gc
import random
import sys
import types
from copy import deepcopy
from dataclasses import asdict, replace
from itertools import islice, pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.engines import load_available_engines
from microgpt import (
    Config,
    Run,
    Tokenizer,
    Value,
    document_loss,
    load_model,
    load_names,
    load_run,
    nn,
    sample,
    save_run,
)
from microgpt.autograd import topological_order
from microgpt.engines import MIN_LIBRARY_VERSIONS, lists, load_engine, tape, value
from microgpt.engines.run import pause_garbage_collection
from tests.models import encode_name
from tests.package.helpers import (
    CONFIGS,
    NAMES,
    make_random_model,
    make_small_run,
    restore_weights,
    to_floats,
)
from tests.processes import run_python

# Tests of other engines are skipped, with the reason.
INSTALLED_ENGINES = [*load_available_engines()]
CONFIG = Config(n_layer=2, n_embd=8, n_head=2, block_size=6)
FAST_ENGINES = ("numpy", "torch", "c")
for_each_engine = pytest.mark.parametrize("engine", INSTALLED_ENGINES)


def make_run(engine: str, num_steps: int = 12, batch_size: int = 2, **more: Any) -> Run:
    config = replace(CONFIG, vocab_size=Tokenizer(NAMES).vocab_size)
    more |= {"engine": load_engine(engine), "batch_size": batch_size}
    return Run(NAMES, config, num_steps, **more)


@st.composite
def model_configs(draw: st.DrawFn) -> Config:
    head, heads = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    return Config(
        vocab_size=draw(st.integers(2, 30)),
        n_layer=draw(st.integers(1, 2)),
        n_embd=head * heads,
        n_head=heads,
        block_size=draw(st.integers(1, 20) | st.sampled_from([47, 48, 49, 60])),
    )


@settings(max_examples=12)
@given(model_configs(), st.data())
def test_engine_loss_and_gradient_equal_autograd(config: Config, more: Any) -> None:
    """Read the gradient of a batch, small or large, from Adam's first moments."""
    token = st.integers(0, config.vocab_size - 1)
    one = st.lists(token, min_size=2, max_size=config.block_size + 3)
    documents = more.draw(st.lists(one, min_size=1, max_size=4))
    times = more.draw(st.sampled_from([1, 60]))
    model = make_random_model(config)
    if times > 1:  # a hidden unit of 0 passes no gradient
        for parameter in model.weights["layer0.mlp_fc1"][0]:
            parameter.data = 0.0
    losses = [document_loss(model, tokens) for tokens in documents]
    for loss in losses:
        loss.backward()
    weights = to_floats(model.parameters())
    expected = [p.grad / len(documents) for p in model.parameters()]
    rounding = 1e-12 * max(map(abs, expected))
    for name in {*INSTALLED_ENGINES} - {"value"}:
        engine: Any = restore_weights(
            load_engine(name)(config, random.Random()), weights
        )
        actual = engine.step(documents * (times if name in FAST_ENGINES else 1), 0.01)
        assert actual == pytest.approx(mean(to_floats(losses)), rel=1e-12), name
        slopes = [m / (1 - 0.85) for m in engine.state().first_moments]
        assert slopes == pytest.approx(expected, rel=1e-12, abs=rounding), name
    loss_of_first = lists.document_loss(model, documents[0])
    assert loss_of_first == pytest.approx(losses[0].data, rel=1e-12)


@pytest.mark.parametrize("name", ["torch", "c"])
@pytest.mark.parametrize("config", CONFIGS)
def test_engine_predictions_equal_the_package_model(name: str, config: Config) -> None:
    if name not in INSTALLED_ENGINES:
        pytest.skip(f"{name} is not installed")
    model = make_random_model(config)
    weights = to_floats(model.parameters())
    engine: Any = restore_weights(load_engine(name)(config, random.Random()), weights)

    def predicted(tokens: list[int]) -> list[float]:
        if name == "c":
            return tape.softmax(engine.compute_logits(tokens))
        reader, cache = engine.inference_model, engine.inference_model.new_cache()
        return tape.softmax(to_floats([reader.forward(t, cache) for t in tokens][-1]))

    tokens, cache = [26, 4, 12, 12, 0][: config.block_size], model.new_cache()
    expected = tape.softmax(to_floats([model.forward(t, cache) for t in tokens][-1]))
    assert predicted(tokens) == pytest.approx(expected, rel=1e-11)
    with pytest.raises(ValueError, match=r"expected at most|expected 1 to"):
        predicted([0] * (config.block_size + 1))


@pytest.mark.parametrize(
    "first, second", [*pairwise(INSTALLED_ENGINES), ("torch", "value")]
)
def test_run_saved_by_one_engine_continues_identically_in_another(
    first: str, second: str, tmp_path: Path
) -> None:
    """Losses, weights, samples and Adam's settings equal an uninterrupted run's."""
    if not {first, second} <= set(INSTALLED_ENGINES):
        pytest.skip(f"{first} or {second} is not installed")
    whole_run, first_run = make_run("dot"), make_run(first)
    for run in (whole_run, first_run):
        state = run.engine.state()
        state.beta1, state.beta2, state.epsilon = 0.5, 0.75, 1e-3
        run.engine.restore(state)
    expected, losses = list(whole_run.train()), list(first_run.train(5))
    save_run(tmp_path / "run", first_run)
    resumed = load_run(tmp_path / "run", NAMES, load_engine(second))
    assert [*losses, *resumed.train()] == pytest.approx(expected, rel=0, abs=1e-9)
    resumed_state = asdict(resumed.engine.state())
    for name, numbers in asdict(whole_run.engine.state()).items():
        is_one = isinstance(numbers, int | float)
        one = resumed_state[name] if is_one else list(resumed_state[name])
        assert one == pytest.approx(numbers, rel=1e-6, abs=1e-9), name
    samples = {sample(r.model, r.tokenizer, r.rng, 1.0) for r in (whole_run, resumed)}
    assert len(samples) == 1


@for_each_engine
@pytest.mark.parametrize("batch_size", [1, 2])
def test_infinite_loss_stops_every_engine_at_the_same_step_with_weights_kept(
    engine: str, batch_size: int
) -> None:
    """Training stops once a probability rounds to 0, and its loss is infinite."""
    losses: dict[str, list[float]] = {}
    weights = []
    for name in ("dot", engine):
        run, losses[name] = make_run(name, 50, batch_size, learning_rate=0.7), []
        with pytest.raises(FloatingPointError) as raised:
            for loss in run.train():
                losses[name].append(loss)
                before = run.engine.state()
        step = len(losses[name]) + 1
        assert f"the loss is not finite at step {step}: " in str(raised.value)
        assert run.engine.state() == before
        weights.append(list(before.weights))
    assert losses[engine] == pytest.approx(losses["dot"], rel=1e-6)
    assert max(losses["dot"]) > 100
    assert weights[1] == pytest.approx(weights[0], rel=1e-4, abs=1e-4)


@for_each_engine
@pytest.mark.parametrize(
    "documents, message",
    [
        ([], "expected at least one document, got none"),
        ([[26, 0], []], "expected two or more tokens per document, got 0"),
        ([[3]], "expected two or more tokens per document, got 1"),
        ([[26, 27, 0]], "expected tokens from 0 to 26, got 27"),
        ([[26, 0], [-1, 0]], "expected tokens from 0 to 26, got -1"),
    ],
)
def test_engine_step_refuses_invalid_documents_unchanged(
    engine: str, documents: list[list[int]], message: str
) -> None:
    tested = load_engine(engine)(CONFIG, random.Random(1))
    before = tested.state()
    with pytest.raises(ValueError, match=f"^{message}$"):
        tested.step(documents, 0.01)
    assert tested.state() == before


@for_each_engine
def test_engine_state_is_a_copy_unaffected_by_training(engine: str) -> None:
    run = make_run(engine)
    before = run.engine.state()
    expected = deepcopy(before)
    list(run.train(3))
    assert before == expected and before.steps_taken == 0
    assert list(run.engine.state().weights) != list(expected.weights)


def test_1000_training_steps_reproduce_the_shipped_weights() -> None:
    engine = pytest.importorskip("microgpt.engines.numpy").Engine
    shipped, tokenizer = load_model()
    run = Run(load_names(), Config(), 1000, engine=engine)
    list(run.train())
    assert tokenizer.characters == run.tokenizer.characters
    assert shipped.config == run.config
    weights = run.engine.state().weights
    assert to_floats(shipped.parameters()) == pytest.approx(weights, rel=1e-6, abs=1e-9)


def test_batches_wrap_around_to_the_first_documents() -> None:
    run = Run(["a", "b", "c"], Config(vocab_size=4), 2, batch_size=2)
    first, second, third = run.documents
    batches = []
    for _ in range(3):
        batches.append([run.tokenizer.decode(t[1:-1]) for t in run.next_batch()])
        next(run.train(), None)
    assert batches == [[first, second], [third, first], [second, third]]
    assert run.steps_taken == 2 and list(run.train(stop=5)) == []


@pytest.mark.parametrize(
    ("documents", "vocab_size", "batch_size", "message"),
    [
        (["ada", "bad"], 3, 1, "expected vocab_size 4 for these documents, got 3"),
        (["ada", "bad"], 5, 1, "expected vocab_size 4 for these documents, got 5"),
        ([], 1, 1, "expected at least one document, got none"),
        (["a"], 2, 0, "expected batch_size of at least 1, got 0"),
    ],
)
def test_run_refuses_wrong_vocab_size_or_empty_batch(
    documents: list[str], vocab_size: int, batch_size: int, message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Run(documents, Config(vocab_size), 5, batch_size=batch_size)


def test_garbage_collector_is_paused_only_during_training_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pause_garbage_collection():
        with pause_garbage_collection():
            pass
        assert not gc.isenabled()
    run = make_small_run(2)
    monkeypatch.setattr(run, "train_step", lambda: float(gc.isenabled()))
    for enabled in islice(run.train(), 2):
        assert not enabled and gc.isenabled()


def test_names_that_pages_used_before_version_0_2_still_work() -> None:
    run: Any = make_run("dot")
    run.train_step()
    adam = run.engine.optimizer
    assert run.step == adam.steps == 1
    assert tape.Matrix is tape.Node
    assert (adam.first, adam.second) == (adam.first_moments, adam.second_moments)
    pytest.importorskip("numpy")
    from microgpt.engines import arrays, numpy_layers

    assert arrays.attend is numpy_layers.attend


def test_value_engine_records_2n_minus_1_nodes_per_dot_product() -> None:
    for count in range(1, 9):
        a, b = ([Value(i + 0.5) for i in range(count)] for _ in range(2))
        nodes = topological_order(value.elementary_dot(a, b))
        assert len(nodes) - 2 * count == 2 * count - 1
        assert sum(len(node._children) for node in nodes) == 4 * count - 2
    model = make_random_model(Config())
    with value.use_elementary_dot():
        nodes = topological_order(document_loss(model, encode_name("emma")))
    # Only sums have more children: those of each softmax, and of the losses.
    several = {(n._op, len(n._children)) for n in nodes if len(n._children) > 2}
    assert several <= {("add", count) for count in (3, 4, 5, 27)}


def test_nn_dot_is_restored_after_an_error_in_the_value_engine() -> None:
    before = nn.dot
    with pytest.raises(ValueError, match="shorter"), value.use_elementary_dot():
        nn.linear([Value(1.0)], [[Value(1.0), Value(2.0)]])
    assert nn.dot is before


@pytest.mark.parametrize(
    "name, module, library",
    [
        ("numpy", "numpy", "NumPy 2.0 or newer"),
        ("torch", "torch", "PyTorch 2.7 or newer"),
        ("c", "ziglang", "a C compiler"),
    ],
)
def test_missing_library_of_an_engine_is_reported_with_pip_command(
    name: str, module: str, library: str
) -> None:
    hidden = f"import sys; sys.modules[{module!r}] = None"
    program = f"from microgpt.cli.main import main; sys.exit(main({['train', '--engine', name]}))"
    nothing = {"CC": "", "PATH": "", "HOME": "/nowhere", "XDG_CACHE_HOME": "/nowhere"}
    result = run_python("-c", f"{hidden}; {program}", **nothing)
    message = f"microgpt: error: the engine {name} needs {library}: pip install"
    assert result.stderr == f"{message} 'microgpt-guide[{name}]'\n"
    assert (result.returncode, result.stdout) == (1, "")


@pytest.mark.parametrize("name, version", [("numpy", "1.26.4"), ("torch", "2.6.0+cpu")])
def test_engine_refuses_a_too_old_library(
    name: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old: Any = types.ModuleType(name)
    old.__version__ = version
    monkeypatch.setitem(sys.modules, name, old)
    least = ".".join(map(str, MIN_LIBRARY_VERSIONS[name]))
    with pytest.raises(ValueError, match=rf"needs \w+ {least} or newer: pip install"):
        load_engine(name)
