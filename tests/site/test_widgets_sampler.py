"""The sampler shows the probabilities and the names that the package computes."""

import json
import math
import random
from functools import cache

import pytest
from playwright.sync_api import expect
from pytest import approx

from microgpt import sample
from snippets import step0, step1
from snippets.ready import step0_setup
from snippets.ready.sentence_model import probabilities_after
from snippets.step1 import softmax
from tests.marks import nightly, thorough
from tests.models import (
    LETTERS,
    TOKEN_LABELS,
    encode_name,
    load_recorded_model,
    shuffled_names,
)
from tests.site.browsing import wait_until_true
from tests.site.widget_page import OpenWidget, WidgetPage, parse_number
from widgets._weights import network_weights

pytestmark = thorough

RUN_STORAGE_KEY = "guide:run"
SAMPLING_PAGE = "inference/sampling/"


@cache
def compute_logits(model: str, name: str) -> list[float]:
    """Return the logits after a name of a model that the sampler offers."""
    last = LETTERS.index(name[-1]) if name else 26
    if model == "counts":
        return [*map(math.log, step0.probabilities(last, step0_setup()[2]))]
    if model == "network":
        return step1.forward(last, network_weights("trained"))
    gpt = load_recorded_model(f"{model}-weights")
    cache = gpt.new_cache()
    for token in encode_name(name)[:-1]:
        logits = gpt.forward(token, cache)
    return [logit.data for logit in logits]


def sample_ten(model: str, seed: int, temperature: float, begin: str) -> list[str]:
    """Sample ten names with one random generator."""
    (_, tokenizer, counts), rng = step0_setup(), random.Random(seed)
    if model == "counts":
        return [step0.sample(counts, tokenizer, rng) for _ in range(10)]
    gpt = load_recorded_model(f"{model}-weights")
    return [sample(gpt, tokenizer, rng, temperature, begin) for _ in range(10)]


def classify_name(name: str, names_learnt: int, seed: int = 42) -> str:
    """Return whether a model knows a name: "learnt", "held out" or "new"."""
    order = shuffled_names(seed)
    if name in order[:names_learnt]:
        return "learnt"
    return "held out" if name in order else "new"


def assert_bars(widget: WidgetPage, model: str, after: str, temperature: float) -> None:
    """Assert that each bar shows the probability that a model gives its letter."""
    true = softmax([logit / temperature for logit in compute_logits(model, after)])
    bars = widget.find(".bar-chart button")
    labels = bars.evaluate_all("all => all.map(x => x.ariaLabel)")
    assert len(labels) == 27
    for label in labels:
        _, token, value = label.replace(",", "").split()
        chance = true[TOKEN_LABELS.index(token.replace("end", "BOS"))]
        percent = parse_number(value.replace("<0.1", "0.05"))
        assert chance == approx(percent / 100, abs=5.1e-4)
    unsure = math.exp(-sum(x * math.log(x) for x in true))
    widget.expect_texts(f"As uncertain as a fair die with {unsure:.1f} sides.")


def assert_ten_names(widget: WidgetPage, model: str, names: list[str]) -> None:
    """Assert that the list shows these names, each with its class."""
    kinds = [classify_name(name, 1000 if model == "counts" else 5108) for name in names]
    shown = widget.find(".ten-names li").all_inner_texts()
    expected = zip(names, kinds, strict=True)
    assert [tuple(text.split(maxsplit=1)) for text in shown] == [*expected]
    widget.expect_texts(f"{kinds.count('new')} new, {kinds.count('learnt')} learnt, ")


def test_sampler_probabilities_equal_the_package(open_widget: OpenWidget) -> None:
    widget = open_widget("sampler", SAMPLING_PAGE)
    widget.expect_texts("How does a name begin?")
    assert_bars(widget, "four-end", "", 0.5)
    assert_ten_names(widget, "four-end", sample_ten("four-end", 42, 0.5, ""))
    widget.press("Finish the name")
    widget.expect_texts("“mandi”. It’s in the dataset, and the model")
    widget.press("Go back to before a").expect_texts("After “m”: what comes next?")
    widget.press("Take q").expect_texts("After “mq”: what comes next?")
    widget.move_slider("temperature", 1.3)
    assert_bars(widget, "four-end", "mq", 1.3)
    widget.move_slider("top-k", 2)
    widget.expect_texts("What is crossed out can’t", '"Take o, 0" [disabled]')
    widget.move_slider("top-p", 0.5)
    widget.expect_texts("As uncertain as a fair die with 1.0 sides.")
    widget.press("Greedy").expect_texts('"Greedy" [pressed]', "Take u, 100.0%")
    widget.type_text("mé", "How the name begins")
    widget.expect_texts("Type letters from a to z, not “é”.")


def test_sampler_says_if_a_name_was_learnt(open_widget: OpenWidget) -> None:
    widget = open_widget("sampler", SAMPLING_PAGE)
    for name, sentence in (
        ("toshinobu", "It’s in the dataset, and the model has learnt from it."),
        ("olina", "in the dataset, but was held out: the model has never seen it."),
    ):
        widget.type_text(name, "How the name begins").press("Take end")
        widget.expect_texts(sentence)
        expect(widget.find(".bar-row.marked .name")).to_have_text("end")
        assert_ten_names(widget, "four-end", sample_ten("four-end", 42, 0.5, name))
    widget.press("Ten others")
    assert_ten_names(widget, "four-end", sample_ten("four-end", 43, 0.5, "olina"))


def test_sampler_shows_the_chosen_model(open_widget: OpenWidget) -> None:
    query = "?sampler.name=ma&sampler.temperature=0.9"
    widget = open_widget("sampler", SAMPLING_PAGE + query)
    for button, model in (
        ("a table", "counts"),
        ("a network", "network"),
        ("one head", "one-end"),
        ("four heads", "four-end"),
    ):
        widget.press(button).expect_texts(f'button "{button}" [pressed]')
        assert_bars(widget, model, "ma", 0.9)


def test_count_table_sampler_has_smoothing_and_a_die(open_widget: OpenWidget) -> None:
    widget = open_widget("sampler", "counting/probabilities/")
    widget.expect_texts("q was followed 8 times, by 4 of the 27 tokens.")
    assert_bars(widget, "counts", "q", 1)
    widget.move_slider("smoothing", "Home")
    widget.expect_texts("crossed out can’t come", '"Take b, 0" [d')
    widget.move_slider("smoothing", "End")
    widget.expect_texts("As uncertain as a fair die with 27.0 sides.")
    widget.press("Take u")
    widget.expect_texts("u was followed 213 times, by 23 of the 27 tokens.")
    widget = open_widget("sampler", "counting/sampling/")
    names = sample_ten("counts", 42, 1, "")
    assert_ten_names(widget, "counts", names)
    widget.press("Roll the die")
    expect(widget.find(".slot b")).to_have_text([names[0][0], "?"])
    widget.press("Finish the name")
    expect(widget.find(".slot b")).to_have_text([*names[0], "end"])


def test_sampler_continues_a_sentence_like_the_package(open_widget: OpenWidget) -> None:
    widget = open_widget("sampler", "inference/what-changes/")
    widget.press("Finish the sentence").expect_texts("“the dogs near the dog sleep”.")
    widget = open_widget("sampler", "inference/top-p/")
    for text in ("the dogs near the ", "the dogs near the d"):
        p = probabilities_after(text, temperature=2.0)
        likeliest = max(p, key=lambda letter: p[letter])
        widget.expect_texts(f"Take {likeliest}, {100 * p[likeliest]:.1f}%")
        widget.press("Take d")
    widget.move_slider("top-k", 5).expect_texts("What is crossed out can’t come")


def train_thousand_names(open_widget: OpenWidget, setup: str = "batch:1") -> WidgetPage:
    """Train a model in the Trainer; return its page once the run is saved."""
    page = f"transformer/training/?train=dataset:names,seen:1000,{setup}"
    trainer: WidgetPage = open_widget("trainer", page=page).press("Train")
    wait_until_true(trainer.tab, f"'{RUN_STORAGE_KEY}' in localStorage")
    return trainer


@pytest.mark.parametrize(
    ("setup", "label"),
    [
        ("heads:2,seed:7", "yours: 2 heads, 1,000 names, held-out "),
        ("layers:2,off:norm+residual", "yours: "),
        pytest.param("model:network,heads:1", "yours: ", marks=nightly),
        pytest.param("model:counts,heads:1", "yours: ", marks=nightly),
    ],
)
def test_sampler_uses_own_run(open_widget: OpenWidget, setup: str, label: str) -> None:
    trainer = train_thousand_names(open_widget, f"batch:1,{setup}")
    loss = trainer.find(".with-samples tbody td").nth(1).inner_text()
    samples = trainer.find("td.samples").first.inner_text()
    names = samples.replace("empty", "no letter").split(", ")
    widget = open_widget("sampler", page=f"{SAMPLING_PAGE}?sampler.ten=1")
    widget.press(label + loss if label.endswith("out ") else label)
    for index, name in enumerate(names):
        expect(widget.find(".ten-names b").nth(index)).to_have_text(name)
        kind = classify_name(name, 1000, 7 if "seed:7" in setup else 42)
        expect(widget.find(".ten-names span").nth(index)).to_have_text(kind)
    other = open_widget("sampler", page="inference/memorised/")
    other.press("yours")
    expect(other.button("yours")).to_have_attribute("aria-pressed", "true")


def test_sampler_skips_broken_saved_run(open_widget: OpenWidget, address: str) -> None:
    widget = open_widget("sampler", page=SAMPLING_PAGE)
    trainer = train_thousand_names(open_widget)
    saved = json.loads(trainer.tab.evaluate(f"localStorage['{RUN_STORAGE_KEY}']"))
    # The runs that readers have saved have these keys.
    assert saved.keys() == {"setup", "learnt", "heldOut", "numbers"}
    sizes = {**saved, "setup": {**saved["setup"], "layers": 2}}
    nan = {**saved, "numbers": "/" * 12 + saved["numbers"][12:]}
    for broken in ("{", *map(json.dumps, (sizes, nan))):
        widget.tab.evaluate(f"text => localStorage['{RUN_STORAGE_KEY}'] = text", broken)
        query = "?sampler.model=yours&sampler.name=mar"
        widget.tab.goto(f"{address}{SAMPLING_PAGE}{query}")
        widget.wait_until_alive()
        widget.expect_texts("no run of yours that can be read, so you see four heads")
        expect(widget.button("yours")).to_have_count(0)
    assert_bars(widget, "four-end", "mar", 0.5)
