"""Whatever an engine computes with: the same losses, weights, files and sentences."""

import random
import sys
import tomllib
import types
from array import array
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.engines import available
from microgpt import (
    GPT,
    Config,
    Run,
    Tokenizer,
    document_loss,
    load_run,
    sample,
    save_run,
)
from microgpt.cli.main import main
from microgpt.engines import LEAST, lists, load_engine
from microgpt.engines.protocol import State, first_state, model_of
from microgpt.engines.tape import softmax
from tests.models import document
from tests.package.helpers import (
    NAMES,
    ROOT,
    SIZES,
    data,
    model_of_size,
    with_weights,
)

INSTALLED = [*available()]  # tests of the others are skipped, and say so
FEW = NAMES[:5]
CONFIG = Config(n_layer=2, n_embd=8, n_head=2, block_size=6)
TOLERANCE = 1e-9
FAST = ("numpy", "torch", "c")
engines = pytest.mark.parametrize("engine", INSTALLED)


def run(
    engine: str, num_steps: int = 12, batch_size: int = 1, documents: list[str] = NAMES
) -> Run:
    config = replace(CONFIG, vocab_size=Tokenizer(documents).vocab_size)
    return Run(
        documents, config, num_steps, batch_size=batch_size, engine=load_engine(engine)
    )


@st.composite
def models(draw: st.DrawFn) -> Config:
    head, heads = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    return Config(
        vocab_size=draw(st.integers(2, 30)),
        n_layer=draw(st.integers(1, 2)),
        n_embd=head * heads,
        n_head=heads,
        block_size=draw(st.integers(1, 20) | st.sampled_from([47, 48, 49, 60])),
    )


@settings(max_examples=12)
@given(models(), st.data())
def test_loss_and_gradient_are_those_of_the_graph(config: Config, more: Any) -> None:
    """Of batches as well, some of which are too large to be worked on at once."""
    token = st.integers(0, config.vocab_size - 1)
    document = st.lists(token, min_size=2, max_size=config.block_size + 3)
    documents = more.draw(st.lists(document, min_size=1, max_size=4))
    compare(model_of_size(config), documents, more.draw(st.sampled_from([1, 60])))


def test_a_hidden_unit_of_0_passes_no_gradient_as_in_the_graph() -> None:
    model = model_of_size(Config())
    for row in model.weights["layer0.mlp_fc1"]:
        for parameter in row:
            parameter.data = 0.0
    compare(model, [document("emma")])


def compare(model: GPT, documents: list[list[int]], times: int = 1) -> None:
    """Each engine has the loss and the gradient of the graph, a share of Adam's mean."""
    losses = [document_loss(model, tokens) for tokens in documents]
    for loss in losses:
        loss.backward()
    weights = [p.data for p in model.parameters()]
    expected = [p.grad / len(documents) for p in model.parameters()]
    rounding = 1e-12 * max(map(abs, expected))
    for name in {*INSTALLED} - {"value"}:
        engine = with_weights(load_engine(name)(model.config, random.Random()), weights)
        loss = engine.step(documents * (times if name in FAST else 1), 0.01)
        assert loss == pytest.approx(mean(x.data for x in losses), rel=1e-12), name
        found = [first / (1 - 0.85) for first in engine.state().first]
        assert found == pytest.approx(expected, rel=1e-12, abs=rounding), name


@pytest.mark.parametrize("name", ["torch", "c"])
@pytest.mark.parametrize("config", SIZES)
def test_predictions_are_those_of_the_graph(name: str, config: Config) -> None:
    if name not in INSTALLED:
        pytest.skip(f"{name} is not installed")
    model = model_of_size(config)
    engine = with_weights(
        load_engine(name)(config, random.Random()), data(model.parameters())
    )

    def predicted(tokens: list[int]) -> list[float]:
        if name == "c":
            return softmax(engine.predict(tokens))
        reader, cache = engine.reader, engine.reader.new_cache()
        return softmax(data([reader.forward(t, cache) for t in tokens][-1]))

    tokens, cache = [26, 4, 12, 12, 0][: config.block_size], model.new_cache()
    expected = softmax(data([model.forward(t, cache) for t in tokens][-1]))
    assert predicted(tokens) == pytest.approx(expected, rel=1e-11)
    with pytest.raises(ValueError, match=r"reads at most|has room for"):
        predicted([0] * (config.block_size + 1))


@pytest.mark.parametrize("config", SIZES)
def test_a_loss_without_its_gradient_is_that_of_the_graph(config: Config) -> None:
    model, tokens = model_of_size(config), document("emma")
    loss = document_loss(model, tokens).data
    assert lists.document_loss(model, tokens) == pytest.approx(loss, rel=1e-13)


@pytest.mark.parametrize("engine", [name for name in INSTALLED if name != "dot"])
@pytest.mark.parametrize("batch_size", [1, 3, len(FEW) + 2])
def test_losses_weights_and_samples_are_those_of_the_engine_as_taught(
    engine: str, batch_size: int
) -> None:
    steps = max(2, 8 // batch_size)
    taught, other = (run(e, steps, batch_size, FEW) for e in ("dot", engine))
    expected = list(taught.train())
    assert list(other.train()) == pytest.approx(expected, rel=0, abs=TOLERANCE)
    assert other.step == steps
    state, expected_state = asdict(other.engine.state()), asdict(taught.engine.state())
    for name, numbers in expected_state.items():
        found = state[name] if isinstance(numbers, int | float) else list(state[name])
        assert found == pytest.approx(numbers, rel=1e-6, abs=1e-9), name
    samples = [sample(r.model, r.tokenizer, r.rng, 1.0) for r in (taught, other)]
    assert samples[0] == samples[1]


@engines
@pytest.mark.parametrize("batch_size", [1, 2])
def test_a_rate_that_is_too_large_ends_a_run_at_the_same_step_and_breaks_nothing(
    engine: str, batch_size: int
) -> None:
    """Where a probability rounds to 0, as the losses of two documents show."""

    def begin(name: str) -> Run:
        config = replace(CONFIG, vocab_size=Tokenizer(NAMES).vocab_size)
        return Run(
            NAMES,
            config,
            50,
            batch_size=batch_size,
            learning_rate=0.7,
            engine=load_engine(name),
        )

    ended: dict[str, State] = {}
    losses: dict[str, list[float]] = {}
    for name in ("dot", engine):
        learner, losses[name] = begin(name), []
        with pytest.raises(FloatingPointError) as raised:
            for loss in learner.train():
                losses[name].append(loss)
                before = learner.engine.state()
        step = len(losses[name]) + 1
        assert f"the loss is not finite at step {step}: " in str(raised.value)
        ended[name] = learner.engine.state()
        assert ended[name] == before
    assert losses[engine] == pytest.approx(losses["dot"], rel=1e-6)
    assert max(losses["dot"]) > 100
    assert list(ended[engine].weights) == pytest.approx(
        list(ended["dot"].weights), rel=1e-4, abs=1e-4
    )


@engines
@pytest.mark.parametrize(
    "documents, told",
    [
        ([], "a step needs a document to learn from"),
        ([[26, 0], []], "a document needs two tokens or more, not 0"),
        ([[3]], "a document needs two tokens or more, not 1"),
        ([[26, 27, 0]], "tokens must be from 0 to 26, not 27"),
        ([[26, 0], [-1, 0]], "tokens must be from 0 to 26, not -1"),
    ],
)
def test_what_no_model_can_learn_from_is_refused_and_changes_nothing(
    engine: str, documents: list[list[int]], told: str
) -> None:
    learner = load_engine(engine)(CONFIG, random.Random(1))
    before = learner.state()
    with pytest.raises(ValueError, match=f"^{told}$"):
        learner.step(documents, 0.01)
    assert learner.state() == before


@engines
def test_what_was_taken_out_of_an_engine_does_not_change_with_it(engine: str) -> None:
    learner = run(engine)
    before = learner.engine.state()
    kept = [list(before.weights), list(before.first), list(before.second)]
    for _ in learner.train(3):
        pass
    assert [list(before.weights), list(before.first), list(before.second)] == kept
    assert before.steps == 0
    assert list(learner.engine.state().weights) != kept[0]


@pytest.mark.parametrize("first, second", [*pairwise(INSTALLED), ("torch", "value")])
def test_a_run_that_one_engine_has_begun_another_ends(
    first: str, second: str, tmp_path: Path
) -> None:
    """Whatever Adam was told, too."""
    if not {first, second} <= set(INSTALLED):
        pytest.skip(f"{first} or {second} is not installed")
    whole, begun = run("dot", batch_size=2), run(first, batch_size=2)
    for learner in (whole, begun):
        state = learner.engine.state()
        state.beta1, state.beta2, state.epsilon = 0.5, 0.75, 1e-3
        learner.engine.restore(state)
    expected, losses = list(whole.train()), list(begun.train(5))
    save_run(tmp_path / "run", begun)
    losses += load_run(tmp_path / "run", NAMES, load_engine(second)).train()
    assert losses == pytest.approx(expected, rel=0, abs=TOLERANCE)


def test_the_first_weights_are_those_that_a_model_draws() -> None:
    rng, again = random.Random(7), random.Random(7)
    model, state = GPT(CONFIG, rng), first_state(CONFIG, again)
    # As arrays: pytest would take a minute to show how long lists differ
    assert state.weights == array("d", [p.data for p in model.parameters()])
    assert rng.getstate() == again.getstate()
    assert not any(state.first) and not any(state.second)
    assert len(state.first) == len(state.second) == CONFIG.num_parameters
    same = model_of(CONFIG, state.weights)
    assert array("d", [p.data for p in same.parameters()]) == state.weights


def test_a_batch_goes_around_when_the_documents_end() -> None:
    learner = Run(["a", "b", "c"], Config(vocab_size=4), 2, batch_size=2)
    first, second, third = learner.documents
    batches = []
    for _ in range(3):
        batches.append([learner.tokenizer.decode(t[1:-1]) for t in learner.batch()])
        next(learner.train(), None)
    assert batches == [[first, second], [third, first], [second, third]]


def test_the_rate_of_a_run_begins_with_the_one_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learner = Run(NAMES, CONFIG, 4, learning_rate=0.5)
    monkeypatch.setattr(learner.engine, "step", lambda batch, rate: rate)
    assert learner.train_step() == 0.5


@pytest.mark.parametrize(
    "name, module, library",
    [
        ("numpy", "numpy", "NumPy 2.0 or newer"),
        ("torch", "torch", "PyTorch 2.7 or newer"),
        ("c", "ziglang", "a C compiler"),
    ],
)
def test_an_engine_without_its_library_says_what_to_install(
    name: str,
    module: str,
    library: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("CC", "PATH"):
        monkeypatch.setenv(variable, "")
    for variable in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path.parent / "cache"))
    monkeypatch.setitem(sys.modules, module, None)
    for engine in [m for m in sys.modules if m.startswith("microgpt.engines.")]:
        monkeypatch.delitem(sys.modules, engine)
    assert main(["train", "--engine", name]) == 1
    printed, told = capsys.readouterr()
    assert printed == ""
    assert told == (
        f"microgpt: error: the engine {name} needs {library}:"
        f" pip install 'microgpt-guide[{name}]'\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name, version", [("numpy", "1.26.4"), ("torch", "2.6.0+cpu")])
def test_a_library_that_is_too_old_is_refused(
    name: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = types.ModuleType(name)
    monkeypatch.setattr(old, "__version__", version, raising=False)
    monkeypatch.setitem(sys.modules, name, old)
    least = ".".join(map(str, LEAST[name]))
    with pytest.raises(ValueError, match=rf"needs \w+ {least} or newer: pip install"):
        load_engine(name)


def test_the_versions_that_pip_installs_are_those_that_engines_accept() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    for library, least in LEAST.items():
        bounds = {
            tuple(map(int, f"{bound}.0".split(".")[:2]))
            for text in [*extras[library], *project["dependency-groups"][library]]
            for name, _, bound in [text.partition(">=")]
            if name == library
        }
        assert bounds == {least}
