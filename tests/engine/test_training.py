"""Training in a page uses the package's engine and gives its numbers."""

import json
import math
import random
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engine import compile_wasm as wasm
from microgpt import Config, Run, Tokenizer, load_names
from microgpt.engines import numpy
from microgpt.sampling import sample
from snippets import step0, step1
from snippets.sentences import OPENINGS, is_hard, make_sentences, with_wrong_verb
from tests.engine.web_engine import GPT_SETUP, evaluate_js, train_in_node, what_if_js

NAMES = load_names()
VOCAB_SIZE = Tokenizer(NAMES).vocab_size


def test_one_letter_network_setup_always_has_one_layer() -> None:
    layered = "engine.ladderSetup('network', 1000, {...engine.ladderSetup('four', 1000), layers: 2})"
    assert evaluate_js(layered)["layers"] == 1
    assert "layers" in train_in_node(model="network", layers=2)["refused"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("model:constructor", None),
        ("optimizer:toString", None),
        ("dataset:toString", None),
        ("dataset:openings", {"dataset": "openings"}),
        ("model:network,layers:2", None),
        ("off:toString", {"disabledParts": []}),
        ("off:norm+norm+mlp", {"disabledParts": ["norm", "mlp"]}),
        ("width:32,optimizer:SGD", {"width": 32, "optimizer": "SGD"}),
        ("seen:9,batch:2", {"namesToSee": 9, "batchSize": 2}),
        ("rate:3,off:root", {"learningRate": 3, "disabledParts": ["scoreScaling"]}),
    ],
)
def test_trainer_address_drops_or_rejects_unknown_settings(
    address: str, expected: Any
) -> None:
    setup = evaluate_js(
        f"engine.parseSetupFromAddress({address!r}, {json.dumps(GPT_SETUP)})"
    )
    assert setup == (None if expected is None else GPT_SETUP | expected)


@pytest.mark.parametrize("openings", [("",), OPENINGS])
def test_sentences_in_the_page_are_those_of_python(openings: Sequence[str]) -> None:
    sentences = make_sentences(openings)
    js = f"engine.makeSentences({str(len(openings) > 1).lower()}).split('\\n')"
    assert evaluate_js(js) == sentences
    is_hard_js = f"{js}.slice(0, 500).map(engine.isHardSentence)"
    assert evaluate_js(is_hard_js) == list(map(is_hard, sentences[:500]))
    wrong_js = f"{js}.slice(0, 500).map(engine.withWrongVerb)"
    assert evaluate_js(wrong_js) == list(map(with_wrong_verb, sentences[:500]))


def test_own_sentences_are_not_cut_to_the_length_of_names() -> None:
    lines = "\n".join(make_sentences()[:500])
    run = train_in_node(lines, namesToSee=600, batchSize=32)
    assert max(map(len, run["names"])) > 16


def test_held_out_sentences_are_as_many_as_the_engine_reads_at_once() -> None:
    sentences = make_sentences()
    for lines, setup in (("", {"dataset": "sentences"}), ("\n".join(sentences), {})):
        run = train_in_node(lines, namesToSee=10, **setup)
        random.Random(42).shuffle(shuffled := list(sentences))
        unseen = [text for text in shuffled if text not in shuffled[:10]]
        tokens = [len(text) + 1 for text in unseen[-run["facts"]["heldOutCount"] :]]
        assert 80_000 - 50 < sum(tokens) <= 80_000
        assert ("hardCasesRight" in run["evaluations"][-1]) == (lines == "")


@pytest.mark.parametrize("source", wasm.C_SOURCES, ids=lambda source: source.stem)
def test_committed_wasm_equals_compiled_c_source(source: Path, tmp_path: Path) -> None:
    if not find_spec("ziglang"):
        pytest.skip(f"needs pip install {wasm.COMPILER_PACKAGE}")
    wasm.compile_wasm(source, output := tmp_path / "output.wasm")
    assert output.read_bytes() == wasm.wasm_path(source).read_bytes()


def test_browser_model_variant_equals_the_python_variant_engine() -> None:
    variant = pytest.importorskip("microgpt.engines.variant")
    numbers = {"window": 3, "lookahead": 1, "mlp_width": 4}
    alone = [
        {field: part}
        for field, choices in variant.CHOICES_BY_VARIANT_FIELD.items()
        for part in (choices[1:] or [numbers[field]])
    ]
    documents = [Tokenizer(NAMES).document(name) for name in NAMES[:3]]
    browser_results = evaluate_js(
        f"{json.dumps(alone)}.map((variant) => {what_if_js('{ variant }', 1)}.model)"
        ".map((made) => (made.weights.forEach((_, i, all) => (all[i] = ((i * 37) % 19) / 30 - 0.3)),"
        f" [made.accumulateGradient({documents}), ...made.gradient.slice(-99)]))"
    )
    for parts, expected in zip(alone, browser_results, strict=True):
        engine = variant.Engine(Config(VOCAB_SIZE), random.Random(1), parts=parts)
        count = engine.num_parameters
        engine.memory[:count] = [i * 37 % 19 / 30 - 0.3 for i in range(count)]
        loss = engine.compute_gradient(documents)
        actual = [loss, *engine.copy_section(variant.c.MemorySection.GRADIENT)[-99:]]
        assert actual == pytest.approx(expected, rel=1e-9, abs=1e-12), parts


def test_browser_training_equals_command_line_losses_and_samples() -> None:
    result = train_in_node()
    run = Run(NAMES, Config(VOCAB_SIZE), 1000, engine=numpy.Engine)
    assert result["losses"] == pytest.approx(list(run.train()), abs=1e-9)
    names = [sample(run.model, run.tokenizer, run.rng) for _ in range(20)]
    assert result["names"] == names
    assert result["facts"]["parameterCount"] == run.config.num_parameters
    assert result["facts"]["heldOutCount"] == len(NAMES) - 1000


def test_browser_training_of_the_network_equals_step_1() -> None:
    result = train_in_node(
        model="network", optimizer="SGD", learningRate=1.0, namesToSee=200
    )
    rng = random.Random(42)
    rng.shuffle(names := list(NAMES))
    weights = step1.initial_weights(VOCAB_SIZE, rng)
    expected = [
        step1.train_step(Tokenizer(NAMES).document(name), weights, 1 - step / 200)
        for step, name in enumerate(names[:200])
    ]
    assert result["losses"] == pytest.approx(expected, abs=1e-9)


def test_what_if_switches_sort_reverse_cut_or_leak_the_training_names() -> None:
    datasets = ["", "sorted", "backwards", "scrambled", "few", "leaked", "without-end"]
    trainings = f"{datasets}.map((dataset) => {what_if_js('{ dataset }', 42)})"
    parts = "({ documents, heldOut }) => [documents, heldOut]"
    tokenizer = Tokenizer(NAMES)

    def spelled(tokens: list[int]) -> str:
        return tokenizer.decode([t for t in tokens if t != tokenizer.bos])

    splits = {
        dataset: [[spelled(tokens) for tokens in part] for part in training]
        for dataset, training in zip(
            datasets, evaluate_js(f"{trainings}.map({parts})"), strict=True
        )
    }
    names, held_out = unchanged = splits[""]
    random.Random(42).shuffle(shuffled := list(NAMES))
    assert names + held_out == shuffled
    assert splits["sorted"] == [sorted(names), held_out]
    assert splits["backwards"] == [[name[::-1] for name in part] for part in unchanged]
    assert splits["few"] == [names[:100], held_out]
    assert splits["leaked"] == [names + held_out, held_out]
    letters, scrambled = (
        [[sorted(name) for name in part] for part in splits[dataset]]
        for dataset in ("", "scrambled")
    )
    assert scrambled == letters
    assert splits["without-end"] == unchanged


@pytest.mark.parametrize(("names_to_see", "trained"), [(1000, 1000), (10_000, 5108)])
def test_continued_name_is_labelled_learnt_held_out_or_new(
    names_to_see: int, trained: int
) -> None:
    setup = json.dumps(GPT_SETUP | {"model": "counts", "namesToSee": names_to_see})
    continuations = evaluate_js(
        f"(training => (training.trainFor(Infinity), {json.dumps(NAMES)}"
        ".filter((name) => name.length < 6)"
        ".map((name) => training.continueName(name.slice(0, 4), 1))))"
        f"(new engine.Training({setup}))"
    )
    random.Random(42).shuffle(shuffled := list(NAMES))
    kinds = {name: "learnt" for name in shuffled[:trained]}
    kinds |= {name: "held out" for name in shuffled[trained:]}
    assert {each["origin"] for each in continuations} == {"learnt", "held out", "new"}
    for each in continuations:
        assert each["origin"] == kinds.get(each["name"], "new"), each["name"]


def test_browser_training_of_the_count_table_equals_step_0() -> None:
    result = train_in_node(model="counts", namesToSee=300)
    random.Random(42).shuffle(names := list(NAMES))
    counts = [[0] * VOCAB_SIZE for _ in range(VOCAB_SIZE)]
    documents = map(Tokenizer(NAMES).document, names[:300])
    expected = [step0.train_step(document, counts) for document in documents]
    assert result["losses"] == pytest.approx(expected, abs=1e-12)
    last_loss = result["evaluations"][-1]["heldOutLoss"]
    assert result["facts"]["bigramLoss"] == pytest.approx(last_loss)


def test_training_past_the_dataset_holds_out_a_tenth_of_the_names() -> None:
    result = train_in_node(namesToSee=8000, batchSize=32)
    assert result["facts"]["heldOutCount"] == len(NAMES) - math.floor(0.9 * len(NAMES))
    seen = [moment["namesSeen"] for moment in result["evaluations"]]
    assert seen == sorted(seen) and seen[-1] == 8000
    first, last = result["evaluations"][0], result["evaluations"][-1]
    assert first["trainingLoss"] is None and first["heldOutLoss"] > 3.2
    assert last["heldOutLoss"] < result["facts"]["bigramLoss"] - 0.1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"namesToSee": 0}, "names seen"),
        ({"batchSize": 1000}, "batch"),
        ({"learningRate": 0}, "learning rate"),
        ({"width": 18}, "width 18 is not a multiple of 4 heads"),
        ({"names": "anna\nbob"}, "at least 20, one per line, got 2"),
        ({"names": "\n".join(map(chr, range(0x4E00, 0x4E80)))}, "characters, got 128"),
    ],
)
def test_browser_training_refuses_an_invalid_setup_with_a_reason(
    changes: dict[str, Any], reason: str
) -> None:
    assert reason in train_in_node(**changes)["refused"]


def test_too_large_learning_rate_ends_browser_training_early() -> None:
    result = train_in_node(learningRate=100, optimizer="SGD", disabledParts=["norm"])
    assert result["diverged"] and len(result["losses"]) < 1000
    assert result["evaluations"][-1]["names"] == []
