"""What readers see in the picture of the whole GPT is what the package computes."""

import random
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from microgpt import GPT, Config, Value, load_model, softmax
from tests.calls import numbers, read_with
from tests.models import TOKENS, document, recorded
from tests.site import see
from tests.site.figure import Open
from tests.thorough import thorough
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
    if end == "package":
        model, _ = load_model()
    else:
        for matrix, rows in recorded(f"{end}-weights").items():
            model.weights[matrix] = [[*map(Value, row)] for row in rows]
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


def test_every_box_shows_what_the_package_computes(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    shown = transformer("emma")
    boxes, weights = computed("package", "emma", 3)
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


def test_a_token_goes_through_the_boxes_in_order(open_figure: Open) -> None:
    figure = open_figure("transformer", page=PAGE)
    figure.press("Play")
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
    figure.press("Play")
    expect(figure.find(".at-softmax")).to_have_class(
        "box at-softmax now", timeout=20_000
    )
    expect(figure.find(".letters button").nth(1)).to_have_attribute(
        "aria-pressed", "true"
    )
