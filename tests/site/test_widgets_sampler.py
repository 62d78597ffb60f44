"""What readers see in the sampler is what the package computes with the same weights."""

import json
import math
import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from pytest import approx

from microgpt import GPT, Value, load_model, sample
from snippets import step0, step1
from snippets.ready import counted
from tests.models import LETTERS, shuffled, softmax
from tests.site import see
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.snippets.test_ends import trained
from tests.thorough import thorough
from widgets._network import network_weights

NAMES = [*LETTERS, "end"]
SEED = 42  # of the pages
# Of a run that is not there; the field has a refusal of its own.
REFUSED = ".stage > div > .refusal"
Sampled = Callable[[random.Random], str]


@cache
def gpt(model: str = "four-end") -> GPT:
    return trained(f"{model}-weights")


@cache
def says(name: str, model: str = "four-end") -> list[float]:
    """A GPT's logits after the letters of a name."""
    return logits_of(gpt(model), name)


def logits_of(model: GPT, name: str) -> list[float]:
    cache = model.new_cache()
    for token in [26, *map(LETTERS.index, name)]:
        logits: list[Value] = model.forward(token, cache)
    return [logit.data for logit in logits]


def odds(logits: list[float], temperature: float = 1.0) -> list[float]:
    """The probabilities at a temperature."""
    return softmax([logit / temperature for logit in logits])


def bars(left: list[float], here: str = "") -> Seen:
    """The bars, the likeliest first; those that can't come are crossed out."""
    order = sorted(range(27), key=lambda token: -left[token])
    values = [left[token] for token in order]
    full = max(0.2, *values)
    unsure = math.exp(-sum(x * math.log(x) for x in left if x > 0))

    def fair(text: str) -> float:
        return float(
            text.partition("fair choice among ")[2].partition(". ")[0].rstrip(".")
        )

    return {
        ".bars .name": [NAMES[token] for token in order],
        **see.percents(".bars .value", values),
        **see.widths(".bars .fill", [100 * value / full for value in values]),
        ".bars .none .name": [NAMES[token] for token in order if left[token] == 0],
        ".bars .mark .name": [here] if here else [],
        ".note:not(.tally)": see.reading(fair, approx(unsure, abs=0.0501)),
    }


def line(name: str, end: str = "?") -> Seen:
    return {".slot b": [*name, end]}


def ten(
    sampled: Sampled, learnt: int, seed: int = SEED, trained_with: int = SEED
) -> Seen:
    """Ten names from one stream of random numbers, and what the dataset has of them."""
    rng = random.Random(seed)
    names = [sampled(rng) for _ in range(10)]
    order = shuffled(trained_with)
    places = [order.index(name) if name in order else None for name in names]
    kinds = [
        "new" if at is None else "learnt" if at < learnt else "held out"
        for at in places
    ]
    known = kinds.count("learnt"), kinds.count("held out")
    tally = (
        f"New: {kinds.count('new')}. In the dataset: {sum(known)}, "
        f"of which {known[0]} learnt and {known[1]} held out."
    )
    return {
        ".ten b": [name or "(no letter)" for name in names],
        ".ten span": kinds,
        ".tally": tally,
    }


def asked(address: str, page: str, **standing: object) -> str:
    """A page's address in which the sampler stands otherwise."""
    query = {f"sampler.{key}": value for key, value in standing.items()}
    return f"{address}{page}?{urlencode(query)}"


@pytest.fixture
def figure(open_figure: Open) -> Figure:
    """All of the sampler, with the finished GPT, for who wants little motion."""
    figure = open_figure("sampler", page="inference/sampling/")
    figure.tab.emulate_media(reduced_motion="reduce")
    return figure


def gpt_s(temperature: float, begin: str = "") -> Sampled:
    _, tokenizer, _ = counted()
    return lambda rng: sample(gpt(), tokenizer, rng, temperature, begin)


def test_the_bars_are_what_a_temperature_makes_of_logits(figure: Figure) -> None:
    figure.shows({**line(""), **bars(odds(says(""), 0.5))})
    figure.slide("temperature", 1.3)
    figure.shows(bars(odds(says(""), 1.3)))


def test_a_die_with_a_seed_gives_the_name_of_sample(figure: Figure) -> None:
    name = gpt_s(0.5)(random.Random(SEED))
    for count in (1, 2):
        figure.press("Roll the die")
        so_far = name[:count]
        figure.shows({**line(so_far), **bars(odds(says(so_far), 0.5))})
        figure.shows({".says": f"After “{so_far}”: what comes next?"})
    figure.press("Finish the name")
    figure.shows({**line(name, "end"), **bars(odds(says(name), 0.5), "end")})
    chances = [
        odds(says(name[:i]), 0.5)[26 if x == "." else LETTERS.index(x)]
        for i, x in enumerate(f"{name}.")
    ]
    figure.shows(see.percents(".slot span", chances))
    figure.press("Another name")
    figure.shows(line(gpt_s(0.5)(random.Random(SEED + 1)), "end"))


def test_ten_names_are_those_of_sample_and_it_is_told_which_are_known(
    figure: Figure,
) -> None:
    figure.shows(ten(gpt_s(0.5), 5108))
    kinds = set(figure.read(".ten span"))
    assert kinds == {"new", "learnt", "held out"}
    figure.press("Ten others")
    figure.shows(ten(gpt_s(0.5), 5108, SEED + 1))
    figure.type("ma", "How the name begins", enter=False)
    figure.shows({**line("ma"), **ten(gpt_s(0.5, "ma"), 5108, SEED + 1)})


def test_a_link_replays_what_stands_there(figure: Figure, address: str) -> None:
    figure.press("Roll the die", "Roll the die")
    figure.slide("temperature", 0.9)
    expect(figure.find(".slot")).to_have_count(3)
    figure.tab.wait_for_function("location.search.includes('sampler.temperature=0.9')")
    there = figure.tab.url
    figure.press("Finish the name")
    name = "".join(figure.read(".slot b")[:-1])
    again = Figure(figure.tab, "sampler")
    figure.tab.goto(there)
    again.comes_alive()
    again.shows({**line(name[:2]), **bars(odds(says(name[:2]), 0.9))})
    again.press("Finish the name")
    again.shows({".slot b": [*name, "end"]})


def test_other_models_are_asked_about_the_same_letters(figure: Figure) -> None:
    figure.type("mar", "How the name begins", enter=False)
    _, tokenizer, counts = counted()
    r = LETTERS.index("r")
    pairs = [math.log(p) for p in step0.probabilities(r, counts)]
    network = step1.forward(r, network_weights("trained"))
    for model, logits, learnt in (
        ("a table", pairs, 1000),
        ("a network", network, 1000),
        ("one head", says("mar", "one-end"), 5108),
        ("four heads", says("mar"), 5108),
    ):
        figure.press(model)
        said = see.containing(f"learnt from {learnt:,} names")
        figure.shows({**line("mar"), **bars(odds(logits, 0.5))})
        figure.shows({".note:not(.tally)": said})
    # They roll the same dice, and a link keeps which one is asked.
    figure.press("one head")
    rng = random.Random(SEED)
    name = sample(gpt("one-end"), tokenizer, rng, 0.5, "mar")
    figure.press("Finish the name")
    figure.shows(line(name, "end"))
    figure.tab.wait_for_function("location.search.includes('sampler.model=one-end')")


RUN = "guide:run"
PAGE = "inference/sampling/"


def train(open_figure: Open, setup: str) -> tuple[Figure, str]:
    """Train in the Trainer until its run is kept; return what it says of the loss."""
    trainer = open_figure("trainer", page=f"adam/training/?train={setup}")
    trainer.press("Train")
    trainer.tab.wait_for_function(f"'{RUN}' in localStorage")
    held_out = trainer.read(".invented tbody tr:first-child td")[1]
    return trainer, str(held_out)


def test_the_run_that_a_reader_has_trained_can_be_asked(
    open_figure: Open, tmp_path: Path
) -> None:
    trainer, loss = train(open_figure, "heads:2,seed:7")
    with trainer.tab.expect_download() as download:
        trainer.press("Save the run")
    download.value.save_as(tmp_path / "run.json")
    model, tokenizer = load_model(tmp_path / "run.json")
    figure = open_figure("sampler", page=PAGE)
    figure.type("mar", "How the name begins", enter=False)
    figure.shows(bars(odds(says("mar"), 0.5)))
    figure.press(f"yours: 2 heads, 1,000 names, held-out {loss}")
    figure.shows({**line("mar"), **bars(odds(logits_of(model, "mar"), 0.5))})
    # Its seed has dealt other names.
    sampled = partial(sample, model, tokenizer, temperature=0.5, prompt="mar")
    figure.shows(ten(sampled, 1000, trained_with=7))
    # On a page of one model it can be chosen, too.
    other = open_figure("sampler", page="inference/temperature/")
    other.press("yours")
    other.shows(bars(odds(logits_of(model, "m"))))


@thorough
@pytest.mark.parametrize(
    "setup", ["layers:2,off:norm+residual", "model:network,heads:1"]
)
def test_a_run_with_parts_switched_off_invents_the_names_of_the_trainer(
    open_figure: Open, setup: str
) -> None:
    trainer, _ = train(open_figure, setup)
    names = str(trainer.read(".invented tbody tr:first-child .samples")[0])
    figure = open_figure("sampler", page=asked("", PAGE, model="yours", ten=1))
    figure.shows({".refusal": ""})
    shown = ["(empty)" if x == "(no letter)" else x for x in figure.read(".ten b")]
    assert shown[:6] == names.split(", ")


@thorough
def test_a_table_that_a_reader_has_counted_is_that_of_step_0(open_figure: Open) -> None:
    train(open_figure, "model:counts,heads:1")
    figure = open_figure("sampler", page=PAGE)
    figure.press("yours: counting pairs")
    _, _, counts = counted()
    pairs = [math.log(p) for p in step0.probabilities(26, counts)]
    figure.shows(bars(odds(pairs, 0.5)))


def test_without_its_run_an_address_shows_the_recorded_model(
    open_figure: Open, address: str
) -> None:
    page = asked("", PAGE, model="yours", name="mar")
    here = {**line("mar"), **bars(odds(says("mar"), 0.5))}
    figure = open_figure("sampler", page=page)
    gone = "a reader’s own run, which this browser doesn’t have, so you see four heads"
    figure.shows({**here, REFUSED: see.containing(gone)})
    figure.press("one head")
    expect(figure.find(REFUSED)).to_have_count(0)
    # What is kept is no run, or one of a model with other sizes.
    train(open_figure, "heads:2")
    kept = json.loads(figure.tab.evaluate(f"localStorage['{RUN}']"))
    other = {**kept, "setup": {**kept["setup"], "layers": 2}}
    misshapen = {**kept, "setup": {**kept["setup"], "heads": 5}}
    nan = {**kept, "numbers": "/" * 12 + kept["numbers"][12:]}
    for broken in ("{", *map(json.dumps, (other, misshapen, nan))):
        figure.tab.evaluate(f"text => localStorage['{RUN}'] = text", broken)
        figure.tab.goto(f"{address}{page}")
        figure.comes_alive()
        said = "can’t be read, so you see four heads instead: train it again."
        figure.shows({**here, REFUSED: see.containing(said)})
        expect(figure.button("yours")).to_have_count(0)


def test_the_die_lies_for_a_moment_before_its_letter_joins(open_figure: Open) -> None:
    figure = open_figure("sampler", page="counting/sampling/")
    figure.tab.emulate_media(reduced_motion="no-preference")
    _, tokenizer, counts = counted()
    rng = random.Random(SEED)
    name = step0.sample(counts, tokenizer, rng)
    row = step0.probabilities(tokenizer.bos, counts)
    logits = [math.log(p) for p in row]
    figure.press("Roll the die")
    p = row[LETTERS.index(name[0])]
    figure.shows(
        {
            **bars(odds(logits), name[0]),
            ".says": f"The die says {name[0]}, which had {100 * p:.1f}%.",
        }
    )
    figure.shows(line(name[0]))
    figure.press("Finish the name")
    expect(figure.button("Stop")).to_be_visible()
    expect(figure.find(".slot.over")).to_be_visible(timeout=20_000)
    figure.shows(line(name, "end"))
    # The page lists the same names as its block.
    figure.press("Ten names")
    figure.shows(ten(lambda rng: step0.sample(counts, tokenizer, rng), 1000))
