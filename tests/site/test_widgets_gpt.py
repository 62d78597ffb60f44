"""What readers see in the picture of the whole GPT is what the package computes."""

from playwright.sync_api import expect
from pytest import approx

from microgpt import load_model
from tests.models import document, transformer
from tests.site.figure import Open
from tests.site.stories import number
from tests.thorough import thorough

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "transformer/forward-pass/"
# Boxes that are computed together, and what they hold
STAGES = [
    {"wte": "token_embedding", "wpe": "position_embedding"},
    {"sum": "added"},
    {"rmsnorm": "x"},
    {"attention_rmsnorm": "normed"},
    {"query": "query", "key": "key", "value": "value"},
    {"cache": ""},
    {f"head{head}": "gathered" for head in range(4)},
    {"attn_wo": "attended"},
    {"attention": "after_attention"},
    {"mlp_rmsnorm": "normed_again"},
    {"fc1": "hidden"},
    {"relu": "activated"},
    {"fc2": "computed"},
    {"mlp": "end"},
    {"lm_head": "logits"},
    {"softmax": "probabilities"},
]


def test_every_box_shows_what_the_package_computes(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    read = transformer(load_model()[0].weights, document("emma")[:4], 4)
    for box, vector in [box for stage in STAGES for box in stage.items()]:
        figure.find(f".at-{box}").press("Enter")
        expect(figure.find(f".at-{box}[aria-expanded=true]")).to_be_visible()
        values = getattr(read[-1], vector or "x")
        if box == "cache":
            values = [x for token in read for x in (*token.key, *token.value)]
        elif vector == "gathered":
            values = values[4 * int(box[-1]) :][:4]
        parts = ".bars .value" if box == "softmax" else ".strip .name"
        texts = figure.find(f".panel {parts}").all_text_contents()
        if box == "softmax":
            values = sorted((100 * p for p in values), reverse=True)
            texts = [text.replace("<0.1", "0.05").rstrip("%") for text in texts]
        shown = [number(text.split()[-1]) for text in texts]
        assert shown == approx(values, abs=0.051 if box == "softmax" else 0.0051)
    assert not figure.asked_python()


def test_a_token_goes_through_the_boxes_in_order(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    letter = figure.find(".letters [aria-pressed=true]")
    figure.press("Play")
    figure.press("Pause", within=".playing")
    back = figure.button("One box back")
    while back.get_attribute("aria-disabled") != "true":
        back.press("Enter")
    for at, stage in enumerate(STAGES):
        for box in stage:
            expect(figure.find(f".now.at-{box}")).to_be_visible()
        expect(figure.find(".now")).to_have_count(len(stage))
        expect(figure.find(".coming")).to_have_count(sum(map(len, STAGES[at + 1 :])))
        expect(letter).to_have_text("m")
        figure.press("One box on")
    # Then the next token is read; after the last, all is there.
    expect(letter).to_have_text("a")
    figure.press("Skip")
    expect(figure.find(".now, .coming, .playing")).to_have_count(0)
    # It goes by itself as well.
    figure.find(".letters button").first.press("Enter")
    figure.press("Play")
    expect(figure.find(".at-softmax.now")).to_be_visible()
    expect(letter).to_have_text("e")
