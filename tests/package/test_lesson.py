"""The modules of the lesson do what their docstrings promise."""

import random
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value, topological_order
from microgpt.data import load_names
from microgpt.engines.run import Run, pause_garbage_collection
from microgpt.model import GPT, Config
from microgpt.optim import linear_decay
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer
from microgpt.training import document_loss, train

from .helpers import NAMES, VOCAB_SIZE, to_floats


def test_tokenizer_numbers_characters_in_order_and_bos_last() -> None:
    tokenizer = Tokenizer(["cab", "bad"])
    assert tokenizer.characters == "abcd"
    assert (tokenizer.bos, tokenizer.vocab_size) == (4, 5)
    assert tokenizer.encode("dab") == [3, 0, 1]
    assert tokenizer.document("dab") == [4, 3, 0, 1, 4]


@given(st.lists(st.text(min_size=1), min_size=1))
def test_tokenizer_decode_reverses_encode(documents: list[str]) -> None:
    tokenizer = Tokenizer(documents)
    for document in documents:
        decoded = tokenizer.decode(tokenizer.encode(document))
        assert normalize("NFC", decoded) == normalize("NFC", document)


@pytest.mark.parametrize("spelling", ["ren\u00e9", "rene\u0301"])
def test_tokenizer_normalizes_letters_with_combining_accents(spelling: str) -> None:
    tokenizer = Tokenizer(["ren\u00e9", "x\u0301"])
    assert tokenizer.decode(tokenizer.encode(spelling)) == "ren\u00e9"


def test_value_sum_adds_from_left_to_right() -> None:
    assert Value.sum(map(Value, [1e16, 1.0, -1e16])).data == 0.0
    assert Value.sum([]).data == 0.0


def test_second_backward_propagates_leftover_grad_of_inner_nodes() -> None:
    """A second loss of a node is right only if the node's `grad` is set to 0 first."""
    a = Value(3.0)
    between = a * 2
    (between * 1).backward()
    assert (a.grad, between.grad) == (2.0, 1.0)
    between.grad = 0.0
    (between * 1).backward()
    assert a.grad == 4.0
    (between * 1).backward()
    assert a.grad == 8.0


def test_topological_order_lists_children_first_and_each_node_once() -> None:
    a, b = Value(2.0), Value(3.0)
    c = a * b
    d = c + a
    order = topological_order(d + d * c)
    assert len(order) == len(set(order)) == 6
    for node in order:
        assert all(order.index(child) < order.index(node) for child in node._children)


def test_backward_handles_a_chain_of_a_million_nodes() -> None:
    with pause_garbage_collection():
        a = chain = Value(1.0)
        for _ in range(1_000_000):
            chain = chain.relu()
        chain.backward()
        assert (chain.data, a.grad) == (1.0, 1.0)
        del chain  # freeing it must not exhaust the stack, either


def test_graph_is_freed_without_the_garbage_collector() -> None:
    with pause_garbage_collection():
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            a = Value(2.0)
            for _ in range(1000):
                a = a * 1.0
            a.backward()
            del a
        live_bytes = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
    assert live_bytes < 1_000_000  # of the 5,000,000 used


def test_default_gpt_has_4192_parameters_drawn_in_the_original_order() -> None:
    model = GPT(Config(), random.Random(42))
    rng = random.Random(42)
    parameters = model.parameters()
    assert len(parameters) == 4192
    assert to_floats(parameters) == [rng.gauss(0, 0.08) for _ in range(4192)]
    assert list(model.weights) == list(Config().shapes())


def test_linear_decay_reaches_0_after_the_last_step() -> None:
    assert [linear_decay(8.0, step, 4) for step in range(5)] == [8.0, 6.0, 4.0, 2.0, 0]


def test_gradient_of_document_loss_equals_finite_differences() -> None:
    model = GPT(Config(4, 2, 4, 2, 4), random.Random(5), std=0.5)
    tokens = [3, 0, 1, 2, 3]
    document_loss(model, tokens).backward()
    for parameter in model.parameters()[::7]:
        weight, losses = parameter.data, []
        for step in (1e-5, -1e-5):
            parameter.data = weight + step
            losses.append(document_loss(model, tokens).data)
        parameter.data = weight
        difference = (losses[0] - losses[1]) / 2e-5
        assert parameter.grad == pytest.approx(difference, rel=1e-5, abs=1e-8)


def test_train_function_gives_the_same_losses_as_run_train() -> None:
    run = Run(NAMES, Config(VOCAB_SIZE, n_embd=8, block_size=8), 12)
    rng, names = random.Random(42), list(NAMES)
    rng.shuffle(names)
    model = GPT(run.config, rng)
    documents = [run.tokenizer.document(name) for name in names]
    assert list(train(model, documents, 12)) == list(run.train())
    expected = sample(run.model, run.tokenizer, run.rng)
    assert sample(model, run.tokenizer, rng) == expected


def test_sample_accepts_a_prompt_up_to_the_context_length() -> None:
    tokenizer = Tokenizer(["abc"])
    model = GPT(Config(tokenizer.vocab_size, 1, 4, 2, 6), random.Random(3))
    assert sample(model, tokenizer, random.Random(1), prompt="abcabc") == "abcabc"
    with pytest.raises(IndexError):
        sample(model, tokenizer, random.Random(1), prompt="abcabca")
    tokenizer = Tokenizer(["ab\u00e9"])  # which may be typed as two characters
    repeated = sample(model, tokenizer, random.Random(1), prompt="e\u0301" * 6)
    assert repeated == "\u00e9" * 6


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("\ufeffanna \n\n  ben\r\n\t\nzoë", ["anna", "ben", "zoë"]),
        # A byte order mark is no letter wherever it stands
        ("\ufeffanna\n\ufeffben\ncl\ufeffara\n", ["anna", "ben", "clara"]),
        # A letter is the same in one character or two
        ("ren\u00e9e\nrene\u0301e\n", ["ren\u00e9e", "ren\u00e9e"]),
        # Only line feeds and carriage returns end a line
        *(
            (f"an{odd}na\r\nben\rclara\ndavid", [f"an{odd}na", "ben", "clara", "david"])
            for odd in "\u2028\u2029\x0b\x0c\x1c\x1d\x1e\x85"
        ),
    ],
)
def test_load_names_returns_the_non_blank_lines(
    tmp_path: Path, content: str, names: list[str]
) -> None:
    path = tmp_path / "names"
    path.write_bytes(content.encode())
    assert load_names(path) == load_names(str(path)) == names


@pytest.mark.parametrize(
    ("compute", "error", "message"),
    [
        (lambda: Tokenizer(["ab"]).encode("X"), ValueError, "use only the characters"),
        (lambda: Tokenizer(["ab"]).decode([-1]), IndexError, "expected tokens of"),
        (
            lambda: Tokenizer(["ab"]).decode([2]),
            IndexError,
            "expected tokens of characters, from 0 to 1",
        ),
        (lambda: Value(-8.0) ** (1 / 3), ValueError, "(-8) ** 0.333333 is not a real"),
        (lambda: Value(0.0) ** 0.5, ZeroDivisionError, "0 ** 0.5 has no finite slope"),
        (lambda: 1 / Value(0.0), ZeroDivisionError, "0 ** -1 has no finite slope"),
        (
            lambda: Value(0.0).log(),
            ValueError,
            "log needs a number above 0, such as 2, got 0",
        ),
        (lambda: (-2) ** Value(0.5), ValueError, "expected a positive base, got -2"),
        (lambda: 0 ** Value(2.0), ValueError, "expected a positive base, got 0"),
        (
            lambda: Config(n_embd=9),
            ValueError,
            "expected n_embd as a multiple of n_head 4, got 9",
        ),
        (lambda: Config(0), ValueError, "expected vocab_size above 0, got 0"),
        (
            lambda: Config(block_size=-4),
            ValueError,
            "expected block_size above 0, got -4",
        ),
    ],
)
def test_invalid_arguments_raise_a_clear_error(
    compute: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        compute()
