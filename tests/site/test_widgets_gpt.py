"""What readers see in the picture of the whole GPT is what the package computes."""

from playwright.sync_api import expect
from pytest import approx

from microgpt import load_model
from tests.models import document, transformer
from tests.site.figure import Open
from tests.site.stories import number
from tests.thorough import thorough

pytestmark = thorough

PAGE = "transformer/forward-pass/"
# Boxes that are computed together stand together.
STAGES = ["wte wpe", "sum", "rmsnorm", "attention_rmsnorm", "query key value", "cache"]
STAGES += ["head0 head1 head2 head3", "attn_wo", "attention", "mlp_rmsnorm", "fc1"]
STAGES += ["relu", "fc2", "mlp", "lm_head", "softmax"]


def test_every_box_shows_what_the_package_computes(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    read = transformer(load_model()[0].weights, document("emma")[:4], 4)
    boxes = read[-1]
    boxes |= {f"head{i}": boxes["heads"][4 * i : 4 * i + 4] for i in range(4)}
    boxes["cache"] = [x for each in read for x in (*each["key"], *each["value"])]
    boxes["softmax"] = sorted((100 * p for p in boxes["softmax"]), reverse=True)
    for box in " ".join(STAGES).split():
        figure.find(f".at-{box}").press("Enter")
        expect(figure.find(f".at-{box}[aria-expanded=true]")).to_be_visible()
        bars = box == "softmax"
        parts = figure.find(".panel .bars .value" if bars else ".panel .strip .name")
        texts = [text.split()[-1] for text in parts.all_text_contents()]
        shown = [number(text.replace("<0.1", "0.05").rstrip("%")) for text in texts]
        assert shown == approx(boxes[box], abs=0.051 if bars else 0.0051)
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
        for box in stage.split():
            expect(figure.find(f".now.at-{box}")).to_be_visible()
        expect(figure.find(".now")).to_have_count(len(stage.split()))
        coming = " ".join(STAGES[at + 1 :]).split()
        expect(figure.find(".coming")).to_have_count(len(coming))
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
