"""Step 0: counting which letter follows which."""

import json
import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from microgpt import Tokenizer
from snippets import step0
from tests.snippets.conftest import RunProgram, Start


def test_the_table_holds_how_often_each_pair_occurs(start: type[Start]) -> None:
    first = start(step0)
    first.losses(1000)
    pairs: Counter[tuple[int, int]] = Counter()
    for name in first.names[:1000]:
        tokens = first.tokenizer.document(name)
        pairs.update(pairwise(tokens))
    table = {
        (row, column): count
        for row, counts in enumerate(first.weights)
        for column, count in enumerate(counts)
        if count
    }
    assert table == pairs


def test_an_empty_table_gives_every_token_the_same_chance(start: type[Start]) -> None:
    first = start(step0)
    p = step0.probabilities(3, first.weights)
    assert p == [1 / 27] * 27
    assert first.losses(1) == pytest.approx([math.log(27)])


def test_smoothing_adds_to_every_count_before_the_row_is_shared_out() -> None:
    counts = [[3, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert step0.probabilities(0, counts) == [4 / 7, 2 / 7, 1 / 7]
    assert step0.probabilities(0, counts, 0.0) == [3 / 4, 1 / 4, 0]
    assert step0.probabilities(0, counts, 2.0) == [5 / 10, 3 / 10, 2 / 10]


def test_a_name_is_scored_before_it_is_learnt() -> None:
    tokenizer = Tokenizer(["ab"])
    counts = step0.zero_counts(tokenizer.vocab_size)
    losses = list(step0.train(["ab"], tokenizer, counts, 2))
    # After one visit each pair has counts 2, 1, 1 with smoothing: p = 2/4.
    assert losses == pytest.approx([math.log(3), math.log(2)])


def test_samples_follow_pairs_that_the_table_knows(start: type[Start]) -> None:
    first = start(step0)
    first.losses(1000)
    names = [step0.sample(first.weights, first.tokenizer, first.rng) for _ in range(50)]
    letters = set(first.tokenizer.characters)
    assert all(set(name) <= letters and len(name) <= 16 for name in names)
    pairs = [
        first.weights[a][b]
        for name in names
        for a, b in zip(
            first.tokenizer.document(name), first.tokenizer.encode(name), strict=False
        )
    ]
    # Smoothing lets unseen pairs through, but seldom.
    assert sum(count == 0 for count in pairs) < 0.1 * len(pairs)


def test_the_original_losses_are_reproduced(
    start: type[Start], original_names: Path
) -> None:
    losses = start(step0, original_names).losses(1000)
    assert f"{losses[0]:.4f}" == "3.2958"
    assert f"{losses[-1]:.4f}" == "2.7177"
    assert f"{sum(losses[-100:]) / 100:.4f}" == "2.4416"


@pytest.mark.parametrize("how", [["-m", "snippets.step0"], ["snippets/step0.py"]])
def test_the_program_runs(
    how: list[str], tmp_path: Path, run_program: RunProgram
) -> None:
    docs, losses = tmp_path / "names.txt", tmp_path / "losses.jsonl"
    docs.write_text("ada\nbob\neve\n")
    options = ["--docs", docs, "--steps", "3", "--losses", losses]
    lines = run_program(*how, *options)
    assert lines[0].startswith("step    1 /    3 | loss ")
    assert len(lines) == 3 + 20
    assert lines[3].startswith("sample  1: ")
    records = [json.loads(line) for line in losses.read_text().splitlines()]
    assert [record["step"] for record in records] == [1, 2, 3]
    assert lines[2].endswith(f"{records[2]['loss']:.4f}")
