"""Recipes are compared fairly, and their records are complete and reproducible."""

import json
import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.count_tables import UP_TO_FOUR_TOKENS, CountTable, KneserNey, last_tokens
from bench.final_losses import Study, run_studies, sample_name
from bench.machine import format_json
from bench.recipes import NetworkRecipe, Split
from bench.results import confidence_interval, paired_difference
from bench.sentences import STUDIES, SentenceSplit, SentenceStudy, recipes
from bench.variant_losses import variant_study
from microgpt import Config, load_names
from microgpt.training import document_loss
from snippets.sentences import OPENINGS, is_hard, make_sentences
from tests.marks import nightly
from tests.models import load_record

EVERY_20TH_NAME = load_names()[::20]
STUDY_BY_RECORD: dict[str, Callable[..., Study]]
STUDY_BY_RECORD = {"ends": Study, "variants": variant_study}


def test_confidence_interval_matches_students_sleep_data() -> None:
    """The data are the hours of sleep gained with two drugs (Student, 1908)."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    mean, margin = difference = paired_difference(second, first)
    assert mean == pytest.approx(1.58)
    assert (mean - margin, mean + margin) == pytest.approx((0.7001, 2.4599), abs=1e-4)
    assert difference.excludes_zero
    assert not confidence_interval([-1, 1, 2, -2, 0.1]).excludes_zero


def test_split_never_trains_on_a_held_out_name() -> None:
    split = Split([*EVERY_20TH_NAME, *EVERY_20TH_NAME[:50]], 2)
    held_out = {tuple(tokens) for tokens in split.held_out}
    training = {tuple(tokens) for tokens in split.training}
    assert len(held_out) == len(split.held_out) == len(EVERY_20TH_NAME) // 10
    assert len(held_out | training) == len(set(EVERY_20TH_NAME))
    assert held_out.isdisjoint(map(tuple, split.training_order(500)))


def test_sentences_that_are_learnt_are_not_held_out() -> None:
    sentences = make_sentences(count=2000)
    split = SentenceSplit(sentences, 2)
    lists = split.held_out, split.training
    held_out, training = ({*map(tuple, documents)} for documents in lists)
    assert len(split.training) == 1800 > len(training)
    assert held_out.isdisjoint(training) and len(held_out) == len(split.held_out)
    assert len(held_out | training) == len(set(sentences))
    hard = {tuple(split.tokenizer.document(sentence)) for sentence in split.hard}
    assert hard < held_out and all(map(is_hard, split.hard))
    hard_texts = SentenceSplit(make_sentences(OPENINGS), 2).hard
    for opening in OPENINGS:
        assert any(text.startswith(f"{opening}the") for text in hard_texts)


def test_study_of_sentences_records_the_hard_cases_that_are_right() -> None:
    some = {name: recipes(Config(block_size=72))[name] for name in ("all", "2 letters")}
    study = SentenceStudy(
        make_sentences(count=500), (64,), recipes=some, seeds=(1, 2), tuning_seeds=(3,)
    )
    for ends in study.run({})["rungs"].values():
        assert len(ends["64"]["right"]) == len(ends["64"]["losses"]) == 2
        assert all(0 <= share <= 1 for share in ends["64"]["right"])


def test_loss_per_token_weights_documents_by_length() -> None:
    split = Split(EVERY_20TH_NAME, 1)
    trained = NetworkRecipe().train(split, 64, 0.01)
    documents = split.held_out[:5]
    counts = [len(document) - 1 for document in documents]
    means = [document_loss(trained.model, tokens).data for tokens in documents]
    expected = sum(map(math.prod, zip(means, counts))) / sum(counts)
    assert trained.loss_per_token(documents) == pytest.approx(expected, rel=1e-5)
    assert sum(trained.probabilities(documents[0][:-1])) == pytest.approx(1)


def test_bigram_table_counts_pairs_with_additive_smoothing() -> None:
    table = CountTable([[2, 0, 1, 2], [2, 0, 0, 2]], 3, [last_tokens(1)], 3.0)
    assert table.probabilities([2, 0]) == pytest.approx([2 / 6, 2 / 6, 2 / 6])
    assert table.probabilities([2]) == pytest.approx([3 / 5, 1 / 5, 1 / 5])
    assert table.loss_per_token([[2, 0]]) == pytest.approx(-math.log(3 / 5))


def test_kneser_ney_prefers_letters_seen_after_many_letters() -> None:
    """A letter that only follows one other letter is not expected after others."""
    often, varied = [9, 1, 2, 9], [[9, letter, 3, 9] for letter in (4, 5, 6)]
    table = KneserNey([*[often] * 10, *varied], 10, UP_TO_FOUR_TOKENS, 0.5)
    p = table.probabilities([9, 7])
    assert p[3] > p[2]


@pytest.mark.parametrize("build_study", STUDY_BY_RECORD.values())
def test_study_records_all_models_and_retrains_none(
    build_study: Callable[..., Study], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.json"
    study = build_study(EVERY_20TH_NAME, (20, 64), seeds=(1, 2), tuning_seeds=(101,))
    run_studies(path, {"guide": study})
    text = path.read_text(encoding="utf-8")
    record = json.loads(text)["guide"]
    assert list(record["rungs"]) == list(study.recipes)
    assert list(record["differences"]) == list(study.comparisons)
    assert text == format_json({"guide": record}) + "\n"
    monkeypatch.delattr(Study, "measure_recipe")
    run_studies(path, {"guide": study})
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("record", "name", "name_count", "tolerance"),
    [
        ("ends", "network", 1000, 2e-3),
        ("ends", "four heads", 1000, 2e-3),
        ("variants", "post-norm, tuned", 30_000, 1e-2),
        ("variants", "momentum", 30_000, 1e-2),
    ],
)
def test_retraining_reproduces_the_recorded_held_out_loss(
    record: str, name: str, name_count: int, tolerance: float
) -> None:
    """Losses agree up to rounding: other machines add in another order."""
    recorded, split = load_record(record)["guide"], Split(load_names(), 1)
    assert recorded["distinct_names"] == len(split.training) + len(split.held_out)
    assert recorded["held_out_names"] == len(split.held_out)
    end = recorded["rungs"][name][str(name_count)]
    recipe = STUDY_BY_RECORD[record]([], []).recipes[name]
    model = recipe.train(split, name_count, end["choice"])
    loss = model.loss_per_token(split.held_out)
    assert loss == pytest.approx(end["losses"][0], abs=tolerance)
    assert len(sample_name(model, split.tokenizer, random.Random(1), 0.5)) <= 16


@nightly
def test_retraining_on_sentences_reproduces_the_recorded_shares() -> None:
    """One head on plain sentences, and four heads with openings, read to the end."""
    for name, study in STUDIES.items():
        end = load_record("sentences")[name]["rungs"]["all"]["100000"]
        split = study.split_type(study.names, 1)
        model = study.recipes["all"].train(split, 100_000, end["choice"])
        loss = model.loss_per_token(split.held_out)
        assert loss == pytest.approx(end["losses"][0], abs=1e-2)
        right = study.statistics([(split, model)])["right"]
        assert right == pytest.approx(end["right"][:1], abs=0.05)
