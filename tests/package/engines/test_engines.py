"""Whatever an engine computes with: the same losses, weights, files and sentences."""

import json
import random
import sys
from array import array
from dataclasses import asdict, replace
from itertools import pairwise
from statistics import mean

import pytest

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
from microgpt.engines import ENGINES, MissingLibraryError, load_engine
from microgpt.engines.protocol import first_state, model_of
from tests.models import document
from tests.package.helpers import NAMES, SIZES, model_of_size, with_weights

INSTALLED = []
for name in ENGINES:
    try:
        load_engine(name)
        INSTALLED.append(name)
    except MissingLibraryError:
        pass  # its own tests are skipped, and say so
FEW = NAMES[:5]
CONFIG = Config(n_layer=2, n_embd=8, n_head=2, block_size=6)
TOLERANCE = 1e-9
engines = pytest.mark.parametrize("engine", INSTALLED)


def run(
    engine: str, num_steps: int = 12, batch_size: int = 1, documents: list[str] = NAMES
) -> Run:
    config = replace(CONFIG, vocab_size=Tokenizer(documents).vocab_size)
    return Run(
        documents, config, num_steps, batch_size=batch_size, engine=load_engine(engine)
    )


WORDS = ["", "emma", "muhammadmustafaandmore", "zoe", "bo"]


@pytest.mark.parametrize("config", SIZES)
@pytest.mark.parametrize("words", [*([word] for word in WORDS[:3]), WORDS[1:3], WORDS])
def test_loss_and_gradient_are_those_of_the_graph(config, words):
    compare(model_of_size(config), words)


def test_a_hidden_unit_of_0_passes_no_gradient_as_in_the_graph():
    model = model_of_size(Config())
    for row in model.weights["layer0.mlp_fc1"]:
        for parameter in row:
            parameter.data = 0.0
    compare(model, ["emma"])


def compare(model, words):
    """Each engine has the loss and the gradient of the graph, a share of Adam's mean."""
    documents = [*map(document, words)]
    losses = [document_loss(model, tokens) for tokens in documents]
    for loss in losses:
        loss.backward()
    weights = [p.data for p in model.parameters()]
    expected = [p.grad / len(documents) for p in model.parameters()]
    assert any(expected)
    for name in {*INSTALLED} - {"dot", "value"}:
        engine = with_weights(load_engine(name)(model.config, random.Random()), weights)
        loss = engine.step(documents, 0.01)
        assert loss == pytest.approx(mean(x.data for x in losses), rel=1e-12), name
        found = [first / (1 - 0.85) for first in engine.state().first]
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-13), name


@pytest.mark.parametrize("engine", [name for name in INSTALLED if name != "dot"])
@pytest.mark.parametrize("batch_size", [1, 3, len(FEW) + 2])
def test_losses_weights_and_samples_are_those_of_the_engine_as_taught(
    engine, batch_size
):
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
def test_what_was_taken_out_of_an_engine_does_not_change_with_it(engine):
    learner = run(engine)
    before = learner.engine.state()
    kept = [list(before.weights), list(before.first), list(before.second)]
    for _ in learner.train(3):
        pass
    assert [list(before.weights), list(before.first), list(before.second)] == kept
    assert before.steps == 0
    assert list(learner.engine.state().weights) != kept[0]


@pytest.mark.parametrize("first, second", [*pairwise(INSTALLED), ("torch", "value")])
def test_a_run_that_one_engine_has_begun_another_ends(first, second, tmp_path):
    if not {first, second} <= set(INSTALLED):
        pytest.skip(f"{first} or {second} is not installed")
    expected = list(run("dot", batch_size=2).train())
    begun = run(first, batch_size=2)
    losses = list(begun.train(5))
    save_run(tmp_path / "run", begun)
    losses += load_run(tmp_path / "run", NAMES, load_engine(second)).train()
    assert losses == pytest.approx(expected, rel=0, abs=TOLERANCE)


@engines
def test_all_that_adam_knows_goes_from_one_engine_to_the_other(engine):
    taught = run("dot")
    adam = taught.engine.optimizer
    adam.beta1, adam.beta2, adam.epsilon = 0.5, 0.75, 1e-3
    other = run(engine)
    other.engine.restore(taught.engine.state())
    expected = list(taught.train())
    assert list(other.train()) == pytest.approx(expected, rel=0, abs=TOLERANCE)


@engines
def test_a_batch_of_equal_documents_is_one_of_them(engine):
    one = load_engine(engine)(CONFIG, random.Random(1))
    four = load_engine(engine)(CONFIG, random.Random(1))
    document = [26, 4, 12, 12, 0, 26]
    losses = one.step([document], 0.01), four.step([document] * 4, 0.01)
    assert losses[0] == pytest.approx(losses[1], rel=1e-12)
    assert list(one.state().weights) == pytest.approx(
        list(four.state().weights), rel=1e-6, abs=1e-9
    )


def test_the_first_weights_are_those_that_a_model_draws():
    rng, again = random.Random(7), random.Random(7)
    model, state = GPT(CONFIG, rng), first_state(CONFIG, again)
    # As arrays: pytest would take a minute to show how long lists differ
    assert state.weights == array("d", [p.data for p in model.parameters()])
    assert rng.getstate() == again.getstate()
    assert not any(state.first) and not any(state.second)
    assert len(state.first) == len(state.second) == CONFIG.num_parameters
    same = model_of(CONFIG, state.weights)
    assert array("d", [p.data for p in same.parameters()]) == state.weights


def test_a_batch_goes_around_when_the_documents_end():
    learner = Run(["a", "b", "c"], Config(vocab_size=4), 2, batch_size=2)
    first, second, third = learner.documents
    batches = []
    for _ in range(3):
        batches.append([learner.tokenizer.decode(t[1:-1]) for t in learner.batch()])
        next(learner.train(), None)
    assert batches == [[first, second], [third, first], [second, third]]


def test_a_file_remembers_batch_and_rate_and_an_old_one_had_neither(tmp_path):
    path = tmp_path / "run"
    save_run(path, Run(NAMES, CONFIG, 5, batch_size=3, learning_rate=0.02))
    resumed = load_run(path, NAMES)
    assert (resumed.batch_size, resumed.learning_rate) == (3, 0.02)
    content = json.loads(path.read_text())
    del content["run"]["batch_size"], content["run"]["learning_rate"]
    path.write_text(json.dumps(content))
    old = load_run(path, NAMES)
    assert (old.batch_size, old.learning_rate) == (1, 0.01)


def test_the_rate_of_a_run_begins_with_the_one_given(monkeypatch):
    learner, rates = Run(NAMES, CONFIG, 4, learning_rate=0.5), []
    monkeypatch.setattr(learner.engine, "step", lambda batch, rate: rates.append(rate))
    learner.train_step()
    assert rates == [0.5]


@pytest.mark.parametrize(
    "command, name, library",
    [
        ("train", "numpy", "NumPy"),
        ("train", "torch", "PyTorch"),
        ("sample", "torch", "PyTorch"),
    ],
)
def test_an_engine_without_its_library_says_what_to_install(
    command, name, library, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, name, None)
    for module in [m for m in sys.modules if m.startswith("microgpt.engines.")]:
        monkeypatch.delitem(sys.modules, module)
    assert main([command, "--engine", name]) == 1
    printed, told = capsys.readouterr()
    assert printed == ""
    assert told == (
        f"microgpt: error: the engine {name} needs {library}:"
        f" pip install 'microgpt-guide[{name}]'\n"
    )
    assert not list(tmp_path.iterdir())
