"""What the graph of a loss holds in memory, until `backward` has run."""

from __future__ import annotations

import gc
import platform
import random
import struct
import sys
from array import array
from collections.abc import Iterable
from functools import cache
from types import BuiltinFunctionType, CellType, CodeType, ModuleType
from typing import TypedDict

from microgpt import GPT, Config, document_loss, load_names
from microgpt.autograd import topological_order
from microgpt.engines import lists
from microgpt.engines.collector import collector_paused
from microgpt.engines.tape import Matrix, Tape
from microgpt.engines.value import in_single_steps
from widgets._inputs import whole
from widgets._names import SEED, shuffled_names, tokenizer_of_the_names

LETTERS = 9
LAYERS = 2
WIDTHS = (4, 8, 12, 16)
FIRST = (LETTERS, 1, 16)
# What belongs to the program, not to the graph: `held` does not go there.
PROGRAM = (type, ModuleType, CodeType, BuiltinFunctionType, dict, str)


class EngineMemory(TypedDict):
    """How large the graph of an engine is, in bytes and in pieces."""

    engine: str
    nodes: int
    edges: int
    bytes: int


class GraphMemory(TypedDict):
    """The graph of a name's loss under three engines, and things to compare it with.

    `first` are the bytes in single steps of what the page shows at first, `weights`
    those of the model's parameters as plain numbers, `names` those of the file of all
    names. `pointer` is how many bytes a reference takes in `python`.
    """

    name: str
    engines: list[EngineMemory]
    first: int
    parameters: int
    weights: int
    names: int
    python: str
    pointer: int


def graph_memory(letters: int, n_layer: int, n_embd: int) -> GraphMemory:
    """Build the graph of a loss with each engine, and measure what it holds."""
    letters = whole(letters, "letters", 1, LETTERS)
    n_layer = whole(n_layer, "layers", 1, LAYERS)
    if n_embd not in WIDTHS:
        raise ValueError(f"width: choose one of {', '.join(map(str, WIDTHS))}")
    name, tokens, model = sized(letters, n_layer, int(n_embd))
    with collector_paused():
        engines = [
            in_steps(model, tokens),
            of_values("dot", model, tokens),
            of_lists(model, tokens),
        ]
    config = model.config
    text = "\n".join(load_names()) + "\n"
    return GraphMemory(
        name=name,
        engines=engines,
        first=first_size(),
        parameters=config.num_parameters,
        weights=config.num_parameters * array("d").itemsize,
        names=len(text.encode()),
        python=".".join(platform.python_version_tuple()[:2]),
        pointer=struct.calcsize("P"),
    )


def sized(letters: int, n_layer: int, n_embd: int) -> tuple[str, list[int], GPT]:
    """Return the beginning of a name, its tokens, and a model."""
    name = shuffled_names()[0][:letters]
    tokenizer = tokenizer_of_the_names()
    config = Config(tokenizer.vocab_size, n_layer, n_embd)
    return name, tokenizer.document(name), GPT(config, random.Random(SEED))


@cache
def first_size() -> int:
    """Return the bytes in single steps of the page's first picture, in this Python."""
    _, tokens, model = sized(*FIRST)
    with collector_paused():
        return in_steps(model, tokens)["bytes"]


def in_steps(model: GPT, tokens: list[int]) -> EngineMemory:
    """Measure a graph of `Value`s with a node for each step."""
    return of_values("value", in_single_steps(model), tokens)


def of_values(engine: str, model: GPT, tokens: list[int]) -> EngineMemory:
    """Measure a graph of `Value`s, less the parameters."""
    loss = document_loss(model, tokens)
    nodes = topological_order(loss)
    return EngineMemory(
        engine=engine,
        nodes=len(nodes),
        edges=sum(len(node._children) for node in nodes),
        bytes=held([loss], known(model)),
    )


def of_lists(model: GPT, tokens: list[int]) -> EngineMemory:
    """Measure a tape: its notes hold the matrices, which are its nodes."""
    tape, weights = Tape(), lists.numbers(model)
    inputs, targets = lists.pairs(model, tokens)
    tape.loss(lists.logits(tape, model, weights, inputs), targets)
    # Each note holds what went in, and all but that of the loss what came out.
    kept = [matrices(note.__closure__ or ()) for note in tape.undo]
    results = len(tape.undo) - 1
    return EngineMemory(
        engine="lists",
        nodes=len({id(matrix) for found in kept for matrix in found}) + 1,
        edges=sum(map(len, kept)) - results,
        bytes=held([tape.undo], known(model)),
    )


def matrices(cells: Iterable[CellType]) -> list[Matrix]:
    """Return the matrices that a note holds."""
    contents = (cell.cell_contents for cell in cells)
    return [content for content in contents if isinstance(content, Matrix)]


def known(model: GPT) -> dict[int, object]:
    """Return what is there before the graph and stays after it, by its id."""
    parameters = model.parameters()
    things: list[object] = [*parameters, ()]
    things += [number for p in parameters for number in (p.data, p.grad)]
    return {id(thing): thing for thing in things}


def held(roots: list[object], seen: dict[int, object]) -> int:
    """Return the bytes of all that can be reached, and was not seen before."""
    total = 0
    level = {id(root): root for root in roots}
    while level:
        seen.update(level)
        total += sum(map(sys.getsizeof, level.values()))
        level = {
            id(thing): thing
            for thing in gc.get_referents(*level.values())
            if id(thing) not in seen and not isinstance(thing, PROGRAM)
        }
    return total
