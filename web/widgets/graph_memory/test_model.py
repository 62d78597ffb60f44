"""The memory of a graph is what Python takes for it."""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from microgpt import GPT, Config, data, document_loss
from microgpt.autograd import topological_order
from microgpt.engines import lists
from microgpt.engines.tape import Matrix, Tape
from microgpt.engines.value import in_single_steps
from tests.thorough import nightly, thorough
from widgets._names import shuffled_names, tokenizer_of_the_names
from widgets.graph_memory.model import GraphMemory, graph_memory


def model(n_layer: int, n_embd: int) -> GPT:
    return GPT(Config(n_layer=n_layer, n_embd=n_embd), random.Random(1))


def tokens(letters: int) -> list[int]:
    return tokenizer_of_the_names().document(shuffled_names()[0][:letters])


def traced(build: Callable[[], object]) -> int:
    """Return the bytes that Python has taken for what was built, and still holds."""
    build()  # so that caches are full
    gc.collect()
    tracemalloc.start()
    kept = build()
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return used


def sizes(shown: GraphMemory) -> dict[str, int]:
    return {each["engine"]: each["bytes"] for each in shown["engines"]}


@thorough
@pytest.mark.parametrize(
    ("letters", "n_layer", "n_embd"),
    [(3, 1, 16), pytest.param(5, 2, 8, marks=nightly)],
)
def test_what_is_counted_is_what_python_has_taken(
    letters: int, n_layer: int, n_embd: int
) -> None:
    gpt, document = model(n_layer, n_embd), tokens(letters)

    def apart() -> object:
        return document_loss(in_single_steps(gpt), document)

    def taped() -> object:
        tape, weights = Tape(), lists.numbers(gpt)
        inputs, targets = lists.pairs(gpt, document)
        tape.loss(lists.logits(tape, gpt, weights, inputs), targets)
        return tape

    taken = {
        "value": traced(apart),
        "dot": traced(lambda: document_loss(gpt, document)),
        "lists": traced(taped),
    }
    shown = sizes(graph_memory(letters, n_layer, n_embd))
    assert shown.keys() == taken.keys()
    for engine, size in shown.items():
        assert size == pytest.approx(taken[engine], rel=0.05), engine


def test_nodes_and_edges_are_those_of_the_graph() -> None:
    shown = graph_memory(4, 2, 12)
    gpt, document = model(2, 12), tokens(4)
    apart = document_loss(in_single_steps(gpt), document)
    for each, loss in zip(
        shown["engines"], (apart, document_loss(gpt, document)), strict=False
    ):
        nodes = topological_order(loss)
        assert each["nodes"] == len(nodes)
        assert each["edges"] == sum(len(node._children) for node in nodes)
    assert shown["name"] == shuffled_names()[0][:4]
    assert shown["parameters"] == len(gpt.parameters())
    assert shown["weights"] == 8 * shown["parameters"]
    assert shown["python"] == "{}.{}".format(*sys.version_info)
    assert shown["pointer"] == sys.getsizeof((1, 2)) - sys.getsizeof((1,))
    assert shown["names"] == Path(data.__file__).with_name("names.txt").stat().st_size


def test_the_first_picture_is_measured_again_wherever_python_runs() -> None:
    first = graph_memory(9, 1, 16)  # as on the page
    assert first["first"] == sizes(first)["value"] == graph_memory(1, 2, 4)["first"]


def test_the_nodes_of_the_tape_are_its_matrices_and_the_loss() -> None:
    def matrices() -> list[object]:
        return [thing for thing in gc.get_objects() if type(thing) is Matrix]

    for n_layer in (1, 2):
        before = matrices()  # of other tests; held, so that none goes meanwhile
        gpt, document = model(n_layer, 16), tokens(3)
        tape, weights = Tape(), lists.numbers(gpt)
        inputs, targets = lists.pairs(gpt, document)
        tape.loss(lists.logits(tape, gpt, weights, inputs), targets)
        alive = len(matrices()) - len(before)
        shown = graph_memory(3, n_layer, 16)["engines"][2]
        assert shown["nodes"] == alive + 1
        # Two embeddings, their sum, RMSNorm; the last layer; the loss.
        ends = 1 + 1 + 2 + 1 + 2 + 1
        # Two RMSNorms, six linear layers, attention, ReLU, two residuals.
        assert shown["edges"] == ends + n_layer * (2 + 6 * 2 + 3 + 1 + 2 * 2)
        del tape, weights, before


def test_a_longer_name_needs_more_memory_but_on_the_tape_no_more_nodes() -> None:
    short, long = graph_memory(2, 1, 8), graph_memory(8, 1, 8)
    for before, after in zip(short["engines"], long["engines"], strict=True):
        assert after["bytes"] > 1.5 * before["bytes"]
    assert short["engines"][2]["nodes"] == long["engines"][2]["nodes"]
    assert sizes(long)["value"] > 3 * sizes(long)["dot"] > 3 * sizes(long)["lists"]


@pytest.mark.parametrize(
    ("letters", "n_layer", "n_embd", "reason"),
    [
        (0, 1, 16, "letters: choose from 1 to 9"),
        (10, 1, 16, "letters: choose from 1 to 9"),
        (3, 3, 16, "layers: choose from 1 to 2"),
        (3, 1, 10, "width: choose one of 4, 8, 12, 16"),
        (3, 1, 64, "width: choose one of"),
    ],
)
def test_what_would_take_too_long_is_refused(
    letters: int, n_layer: int, n_embd: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        graph_memory(letters, n_layer, n_embd)
