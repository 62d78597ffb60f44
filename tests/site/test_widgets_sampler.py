"""The sampler asks the run that a reader has trained, and its die takes a moment.

What it shows of other models is told in stories, and computed again in `test_told_models.py`.
"""

import base64
import json
import random
from array import array

import pytest
from playwright.sync_api import expect

from microgpt import GPT, Config, Tokenizer, load_names, sample
from snippets import step0
from snippets.ready import counted
from tests.models import LETTERS, shuffled
from tests.site.browsing import wait_for
from tests.site.figure import Figure, Open
from tests.thorough import nightly, thorough

RUN = "guide:run"
PAGE = "inference/sampling/"


def train(open_figure: Open, setup: str) -> Figure:
    """Train in the Trainer until its run is kept."""
    trainer = open_figure(
        "trainer", page=f"transformer/training/?train=seen:1000,batch:1,{setup}"
    )
    trainer.press("Train")
    wait_for(trainer.tab, f"'{RUN}' in localStorage")
    return trainer


def test_the_run_that_a_reader_has_trained_can_be_asked(
    open_figure: Open, address: str
) -> None:
    trainer = train(open_figure, "heads:2,seed:7")
    loss = trainer.find(".invented tbody td").nth(1).inner_text()
    kept = json.loads(trainer.tab.evaluate(f"localStorage['{RUN}']"))
    model, tokenizer = GPT(Config(n_head=2), random.Random(0)), Tokenizer(load_names())
    numbers = array("d", base64.b64decode(kept["numbers"]))
    for parameter, number in zip(model.parameters(), numbers, strict=True):
        parameter.data = number
    figure = open_figure("sampler", page=PAGE)
    figure.type("mar", "How the name begins", enter=False)
    figure.press(f"yours: 2 heads, 1,000 names, held-out {loss}")
    rng = random.Random(42)
    names = [sample(model, tokenizer, rng, prompt="mar") for _ in range(10)]
    expect(figure.find(".ten b")).to_have_text(names)
    # Its seed has dealt other names.
    order = shuffled(7)
    places = [order.index(name) if name in order else None for name in names]
    expect(figure.find(".ten span")).to_have_text(
        [
            "new" if at is None else "learnt" if at < 1000 else "held out"
            for at in places
        ]
    )
    # On a page of one model it can be chosen, too.
    other = open_figure("sampler", page="inference/temperature/")
    other.press("yours")
    cache = model.new_cache()
    for token in tokenizer.document("m")[:-1]:
        logits = [logit.data for logit in model.forward(token, cache)]
    likeliest = LETTERS[logits.index(max(logits))]
    expect(other.find(".bars .name").first).to_have_text(likeliest)
    # What is kept may be no run, or one of a model with other sizes.
    sizes = {**kept, "setup": {**kept["setup"], "layers": 2}}
    nan = {**kept, "numbers": "/" * 12 + kept["numbers"][12:]}
    for broken in ("{", *map(json.dumps, (sizes, nan))):
        figure.tab.evaluate(f"text => localStorage['{RUN}'] = text", broken)
        figure.tab.goto(f"{address}{PAGE}?sampler.model=yours")
        figure.comes_alive()
        said = "can’t be read, so you see four heads instead: train it again."
        expect(figure.find(".stage > div > .refusal")).to_contain_text(said)
        expect(figure.button("yours")).to_have_count(0)


@thorough
@pytest.mark.parametrize(
    "setup",
    [
        "layers:2,off:norm+residual",
        pytest.param("model:network,heads:1", marks=nightly),
        pytest.param("model:counts,heads:1", marks=nightly),
    ],
)
def test_any_run_invents_the_names_of_the_trainer(
    open_figure: Open, setup: str
) -> None:
    trainer = train(open_figure, setup)
    names = trainer.find("td.samples").first.inner_text().replace("empty", "no letter")
    figure = open_figure("sampler", page=f"{PAGE}?sampler.model=yours&sampler.ten=1")
    for place, name in enumerate(
        names.split(", ")
    ):  # the kept run is read after all else
        expect(figure.find(".ten b").nth(place)).to_have_text(name)
    expect(figure.find(".refusal").first).to_be_empty()


def test_the_die_lies_for_a_moment_before_its_letter_joins(open_figure: Open) -> None:
    figure = open_figure("sampler", page="counting/sampling/")
    figure.tab.emulate_media(reduced_motion="no-preference")
    _, tokenizer, counts = counted()
    name = step0.sample(counts, tokenizer, random.Random(42))
    p = step0.probabilities(tokenizer.bos, counts)[LETTERS.index(name[0])]
    figure.press("Roll the die")
    said = f"The die says {name[0]}, which had {100 * p:.1f}%."
    expect(figure.find(".says")).to_have_text(said)
    expect(figure.find(".bars .mark .name")).to_have_text(name[0])
    expect(figure.find(".slot b")).to_have_text([name[0], "?"])
    figure.press("Finish the name")
    expect(figure.button("Stop")).to_be_visible()
    expect(figure.find(".slot b")).to_have_text([*name, "end"])
