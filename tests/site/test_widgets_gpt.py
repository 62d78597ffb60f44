"""What readers see in the picture of the whole GPT is what the package computes."""

import random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest import approx

from microgpt import GPT, Config, Value, softmax
from tests import models
from tests.models import TOKENS, document, recorded
from tests.site import see
from tests.site.figure import Figure, Open
from tests.thorough import thorough
from widgets._gpt import numbers, read_with
from widgets.transformer.model import HEADS, transformer

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "transformer/forward-pass/"
# Those that are computed together stand together.
STAGES = ["wte wpe", "sum", "rmsnorm", "attention_rmsnorm", "query key value", "cache"]
STAGES += ["head0 head1 head2 head3", "attn_wo", "attention", "mlp_rmsnorm", "fc1"]
STAGES += ["relu", "fc2", "mlp", "lm_head", "softmax"]


def computed(end: str, name: str, position: int) -> Any:
    """Return the numbers of each box when the package reads a name, and the heads' weights."""
    model = GPT(Config(n_head=HEADS[end]), random.Random(0))
    for matrix, rows in recorded(f"{end}-weights").items():
        model.weights[matrix] = [[Value(number) for number in row] for row in rows]
    forward = read_with(model, document(name)[: position + 1])[position]
    (norm,), (attention,), (mlp,) = map(forward.all, ("rmsnorm", "attention", "mlp"))
    cache, heads = attention.variables["cache"], attention.all("attend")
    kept = zip(cache.keys[: position + 1], cache.values[: position + 1], strict=True)
    vectors = {
        "wte": forward.variables["token_embedding"],
        "wpe": forward.variables["position_embedding"],
        "sum": norm.variables["x"],
        "rmsnorm": norm.result,
        "attention_rmsnorm": attention.variables["normed"],
        "query": attention.variables["query"],
        "key": cache.keys[position],
        "value": cache.values[position],
        "cache": [x for pair in kept for vector in pair for x in vector],
        **{f"head{i}": head.result for i, head in enumerate(heads)},
        "attn_wo": attention.variables["output"],
        "attention": attention.result,
        "mlp_rmsnorm": mlp.all("rmsnorm")[0].result,
        "fc1": mlp.variables["hidden"],
        "relu": mlp.variables["activated"],
        "fc2": mlp.variables["output"],
        "mlp": mlp.result,
        "lm_head": forward.result,
        "softmax": softmax(forward.result),
    }
    weights = [numbers(head.variables["weights"]) for head in heads]
    return {box: numbers(vector) for box, vector in vectors.items()}, weights


def opened(box: str, values: list[float], lines: Any) -> see.Seen:
    """A box that is open says all its numbers, and lights its lines."""
    own, *others = lines["head" if box.startswith("head") else box]
    seen: see.Seen = {
        f".at-{box}[aria-expanded=true] code": see.containing(""),
        ".code .lit .number": str(own["line"]),
        ".code .waiting .number": see.reading_all(
            lambda found: sorted(map(int, found)), sorted(x["line"] for x in others)
        ),
    }
    if box == "softmax":
        order = sorted(range(len(values)), key=lambda token: -values[token])
        ordered = [values[token] for token in order]
        seen[".panel .bars .name"] = [TOKENS[token] for token in order]
        return {**seen, **see.percents(".panel .bars .value", ordered)}

    def read(texts: list[str]) -> list[float]:
        return [see.number(text.split()[-1]) for text in texts]

    near = approx(values, abs=0.0051)
    return {**seen, ".panel .strip .name": see.reading_all(read, near)}


@pytest.mark.parametrize("position", [3, 1])
def test_every_box_shows_what_the_package_computes(
    open_figure: Open, position: int
) -> None:
    figure = open_figure("transformer", page=PAGE)
    shown = transformer("emma")
    boxes, weights = computed("four-end", "emma", position)
    figure.find(".letters button").nth(position).press("Enter")
    assert [*boxes] == " ".join(STAGES).split()
    for box, values in boxes.items():
        figure.find(f".at-{box}").press("Enter")
        figure.shows(opened(box, values, shown["lines"]))
    for head, row in enumerate(weights):
        unread = [0.0] * (len(shown["name"]) + 1 - len(row))
        share = see.style(f".at-head{head} .looks i", "--share")
        figure.shows({share: approx([*row, *unread], abs=6e-4)})
    # The cells of the picture: grey below 0, empty at 0
    for box in ("sum", "attention", "fc1", "relu"):
        cells, most = f".at-{box} rect", max(map(abs, boxes[box]))
        below = [value < 0 for value in boxes[box]]
        empty = [value == 0 for value in boxes[box]]
        figure.shows({see.flags(cells, ".below"): below})
        figure.shows(
            {see.flags(cells, "[fill-opacity='0.00'], [fill-opacity='0']"): empty}
        )
        if box == "fc1":
            strong = [max(0.08, abs(value) / most) for value in boxes[box]]
            opacity = see.Part(cells, "attribute", "fill-opacity")
            read = see.reading_all(lambda x: [*map(float, x)], approx(strong, abs=6e-3))
            figure.shows({opacity: read})
    assert not figure.asked_python()


def test_a_box_tells_what_one_of_its_numbers_is_made_of(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    boxes, (_, weights, *_) = computed("four-end", "emma", 3)
    how = see.Part(".how span")

    def pick(box: str, index: int) -> list[Any]:
        figure.find(f".at-{box}").press("Enter")
        numbers = figure.root.get_by_role("listbox")
        figure.keys(numbers, "Home", *["ArrowRight"] * index)
        expect(figure.find(".how b")).to_have_text(f"number {index}")
        return figure.read(how)

    lines = pick("fc1", 5)
    row = recorded("four-end-weights")["layer0.mlp_fc1"][5]
    terms = sorted(
        zip(row, boxes["mlp_rmsnorm"], strict=True), key=lambda x: -abs(x[0] * x[1])
    )
    for line, (w, x) in zip(lines[1:4], terms):
        read = [see.number(each.strip("=+ ()")) for each in line.split(" × ")]
        assert read == approx([w, x], abs=6e-4)
    rest = sum(w * x for w, x in terms[3:])
    assert see.number(lines[4].split()[-1].strip("()")) == approx(rest, abs=6e-4)
    assert see.number(lines[5].strip("= ")) == approx(boxes["fc1"][5], abs=6e-4)
    figure.shows({".matrix": "weights: layer0.mlp_fc1, 64 × 16"})

    lines = pick("attention_rmsnorm", 2)
    size = (sum(x * x for x in boxes["rmsnorm"]) / 16 + 1e-5) ** 0.5
    assert see.number(lines[1].strip("= ")) == approx(size, abs=6e-4)
    lines = pick("attention", 2)
    was, came, is_ = (boxes[box][2] for box in ("rmsnorm", "attn_wo", "attention"))
    said = f"{was:.3f} was there, {came:.3f} came".replace("-", "−")
    assert lines == [said, f"= {is_:.3f}".replace("-", "−")]
    # The logit lens: what the last layer would say of the stream at this place
    rows = recorded("four-end-weights")["lm_head"]
    said_here = models.softmax([models.dot(row, boxes["attention"]) for row in rows])
    best = sorted(range(27), key=lambda token: -said_here[token])[:3]
    guess = ", ".join(f"{TOKENS[t]} {100 * said_here[t]:.1f}%" for t in best)
    figure.shows({".says": see.containing(f"lm_head would say {guess}.")})
    pick("head1", 1)
    figure.shows({see.numbers(".readout td:nth-of-type(2)"): approx(weights, abs=6e-3)})


def test_a_name_is_read_while_it_is_typed(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)

    def reads(name: str) -> see.Seen:
        boxes, _ = computed("four-end", name, len(name))
        chances = boxes["softmax"]
        order = sorted(range(27), key=lambda token: -chances[token])[:5]
        return {
            ".letters button": ["BOS", *name],
            ".letters [aria-pressed=true]": name[-1],
            ".chances b": [TOKENS[token] for token in order],
            **see.percents(".chances .track + span", [chances[t] for t in order]),
        }

    label = "A name for the model to read"
    figure.type("zoe", label, enter=False)
    figure.shows(reads("zoe"))
    figure.type("Quentin", label, enter=False)
    figure.shows(reads("quentin"))
    for text, why in (
        ("zo3", "the model does not know “3”"),
        ("abcdefghijklmnop", "at most 15 letters: this has 16"),
        ("", "Type a name"),
    ):
        figure.type(text, label, enter=False)
        figure.shows(reads("quentin"), refusal=why)
    figure.type("abcdefghijklmno", label, enter=False)
    figure.shows(reads("abcdefghijklmno"))
    figure.keys(figure.find(".letters button").last, "ArrowLeft")
    expect(figure.find(".letters button").nth(14)).to_be_focused()
    figure.shows({".letters [aria-pressed=true]": "n"})
    assert not figure.asked_python()


def test_a_page_and_an_address_can_open_a_box(
    context: BrowserContext, address: str, open_figure: Open
) -> None:
    figure = open_figure("transformer", page="attention/positions/")
    boxes, _ = computed("one-end", "emma", 3)
    lines = transformer("emma")["lines"]
    figure.shows(opened("sum", boxes["sum"], lines))
    asked = "?transformer.box=fc1&transformer.name=zoe&transformer.position=1"
    figure = Figure.open(context, address, "transformer", PAGE + asked)
    boxes, _ = computed("four-end", "zoe", 1)
    figure.shows(opened("fc1", boxes["fc1"], lines))
    status = figure.find(".gpt > [role=status]")
    figure.press("Close")
    expect(status).to_have_text("Closed")
    expect(figure.find(".panel")).to_have_count(0)
    expect(figure.find(".at-fc1")).to_be_focused()
    figure.find(".at-relu").press("Enter")
    expect(status).to_contain_text("hidden units found their pattern")
    figure.tab.wait_for_url("**transformer.box=relu**")
    # What an address cannot mean is as usual.
    asked = "?transformer.box=constructor&transformer.name=3&transformer.position=-1"
    figure = Figure.open(context, address, "transformer", PAGE + asked)
    figure.shows({see.count(".panel"): 0})
    expect(figure.find(".letters button")).to_have_text(["BOS", *"emma"])


def test_a_token_goes_through_the_boxes_in_order(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    figure.press("▶ Play")
    figure.press("Pause", within=".playing")
    back = figure.button("One box back")
    while back.get_attribute("aria-disabled") != "true":
        back.press("Enter")
    for at, together in enumerate(STAGES):
        lit = [f"at-{box}" for box in together.split()]
        later = len(" ".join(STAGES[at + 1 :]).split())
        figure.shows(
            {
                see.attribute(".now", "class"): [see.containing(box) for box in lit],
                see.count(".coming"): later,
                ".letters [aria-pressed=true]": "m",
            }
        )
        figure.press("One box on")
    # Then the next token is read; after the last, all is there.
    figure.shows({".letters [aria-pressed=true]": "a", see.count(".now"): 2})
    figure.press("Skip")
    figure.shows({see.count(".now, .coming, .playing"): 0})
    # It goes by itself as well.
    figure.find(".letters button").first.press("Enter")
    figure.press("▶ Play")
    expect(figure.find(".at-softmax")).to_have_class(
        "box at-softmax now", timeout=20_000
    )
    expect(figure.find(".letters button").nth(1)).to_have_attribute(
        "aria-pressed", "true"
    )
