"""What readers see in the widgets of the transformer is what Python computes."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect
from pytest import approx

from tests.site import see
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.walk.model import walk

# All widgets together are looked at every day.
pytestmark = thorough


LISTED = 5


def stations(figure: Figure) -> Locator:
    return figure.find(".station")


def choose(figure: Figure, place: int) -> None:
    """Choose a stage by keyboard: the buttons below stay in view, and may cover it."""
    figure.root.get_by_role("radio").nth(place).press(" ")
    expect(stations(figure).nth(place)).to_contain_class("picked")


def pick(figure: Figure, index: int) -> None:
    """Pick a number of the stage by keyboard."""
    vector = figure.root.get_by_role("listbox")
    figure.keys(vector, "Home", *["ArrowRight"] * index)


def place_of(shown: Any, name: str, part: str = "") -> int:
    return next(
        place
        for place, stage in enumerate(shown["stages"])
        if stage["name"] == name and part in stage["part"]
    )


def names_of(shown: Any, stage: Any) -> list[str]:
    """What the numbers of a stage are called."""
    size, tokens = len(shown["read"]), shown["tokens"]
    letters = [tokens[token] for token in shown["read"]]
    if stage["made"] in ("score", "weight"):
        return [
            f"{stage['made']} of {letters[i % size]} ({i % size}) in head {i // size}"
            for i in range(len(stage["values"]))
        ]
    if stage["made"] == "chance" or stage["name"] == "logits":
        kind = "probability" if stage["made"] == "chance" else "logit"
        return [f"{kind} of {token}" for token in tokens]
    return [f"{stage['name']}[{i}]" for i in range(len(stage["values"]))]


def staged(shown: Any, place: int, rel: float = 0.006) -> Seen:
    """A stage that is chosen says every number, its words and its lines."""
    stage = shown["stages"][place]
    named = zip(names_of(shown, stage), stage["values"])
    seen: Seen = {
        see.attribute("[role=listbox] [role=option]", "aria-label"): [
            see.labelled(name, approx(value, rel=rel, abs=1e-9))
            for name, value in named
        ]
    }
    if rel > 0.01:
        return seen
    values = stage["values"]
    strong = [abs(see.strength(value, stage["limit"])) for value in values]
    inputs = [i in stage["inputs"] for i in range(len(shown["stages"]))]
    return {
        **seen,
        ".says": stage["says"],
        ".code .lit .number": str(stage["lines"][0]),
        ".code .waiting .number": see.reading_all(
            lambda lines: sorted(map(int, lines)), sorted(stage["lines"][1:])
        ),
        see.style(".station.picked .fill", "--shade"): strong,
        see.flags(".station.picked .fill", ".below, .below *"): [v < 0 for v in values],
        see.flags(".station", ".input"): inputs,
    }


def parts(*of: tuple[str, tuple[float, ...] | None, float | None]) -> Seen:
    """What is listed of a number: names, factors and sizes."""
    row = ".contributions li:not(.empty)"
    seen: Seen = {f"{row} .name": [name for name, _, _ in of]}
    if all(factors for _, factors, _ in of):
        texts = [see.product(*(factors or ()), rel=0.006) for _, factors, _ in of]
        seen[f"{row} .text"] = texts
    if all(size is not None for _, _, size in of):
        sizes = [approx(size, rel=0.006) for _, _, size in of]
        seen[see.numbers(f"{row} .size")] = sizes
    return seen


def test_walk(open_figure: Open) -> None:
    figure = open_figure("walk")
    shown: Any = walk("emma", 3, "trained")
    headings = [
        "into the stream",
        "layer 0: attention",
        "layer 0: MLP",
        "out of the stream",
    ]
    figure.shows(
        {
            ".title.now": "The trained model reads m (3), after BOS e m",
            see.count(".station"): len(shown["stages"]),
            ".map .heading": headings,
        }
    )
    scores = stations(figure).nth(place_of(shown, "scores"))
    expect(scores.locator(".letters span")).to_have_text(["·", "e", "m", "m"])
    # By keyboard, from the first stage to the last
    choose(figure, 0)
    heights = set()
    for place in range(len(shown["stages"])):
        figure.shows(staged(shown, place))
        heights.add(figure.height())
        figure.tab.keyboard.press("ArrowDown")
    assert len(heights) == 1


def test_walk_tells_what_a_number_was_made_of(open_figure: Open) -> None:
    figure = open_figure("walk")
    shown: Any = walk("emma", 3, "trained")
    stages, (cache,) = shown["stages"], shown["caches"]
    how, title = figure.find(".how"), figure.find(".detail .title")

    # A row that is looked up, and a number that is scaled with all others
    choose(figure, place_of(shown, "position_embedding"))
    pick(figure, 5)
    figure.shows(parts(("wpe[3][5]", None, None)))
    place = place_of(shown, "normed")
    choose(figure, place)
    scaled = (stages[place - 1]["values"][5], stages[place]["scale"])
    figure.shows(parts(("x[5]", scaled, stages[place]["values"][5])))

    # A dot product: the largest products, and what the others come to
    place = place_of(shown, "hidden")
    choose(figure, place)
    pick(figure, 37)
    expect(how).to_contain_text("rmsnorm(x) with row 37 of mlp_fc1: 16 products")
    hidden, x = stages[place]["values"], stages[place - 1]["values"]
    said = see.number(title.inner_text().removeprefix("hidden[37] = "))
    assert said == approx(hidden[37], rel=0.006)
    row = [w * shown["unit"] for w in shown["weights"]["layer0.mlp_fc1"][37]]
    products = [a * w for a, w in zip(x, row)]
    order = sorted(range(16), key=lambda i: -abs(products[i]))[:LISTED]
    of = ".contributions li:not(.empty)"
    names = [f"rmsnorm(x)[{i}]" for i in order]
    figure.shows(
        {f"{of} .name": [*names, "11 others"], see.count(".station .also"): LISTED}
    )
    texts = figure.read(f"{of} .text")[:LISTED]
    assert texts == [see.product(x[i], row[i], rel=0.006) for i in order]
    sizes = figure.read(see.numbers(f"{of} .size"))
    assert sizes[:LISTED] == approx([products[i] for i in order], rel=0.006)
    assert sum(sizes) == approx(hidden[37], abs=0.01)
    widths = figure.read(see.style(f"{of} .bar-of-product", "width"))
    most = abs(products[order[0]])
    assert widths[:LISTED] == approx(
        [50 * abs(products[i]) / most for i in order], abs=0.06
    )
    below = figure.read(see.flags(of, ".below"))
    assert below[:LISTED] == [products[i] < 0 for i in order]

    # What ReLU lets pass, and what it does not
    choose(figure, place + 1)
    for passes, says in (
        (True, "Above 0, so ReLU lets it pass:"),
        (False, "Not above 0, so ReLU makes it 0:"),
    ):
        index = next(i for i, h in enumerate(hidden) if (h > 0) == passes)
        pick(figure, index)
        figure.shows({".how": says, **parts((f"hidden[{index}]", None, hidden[index]))})

    # A score, of a key that an earlier token left in the cache
    place = place_of(shown, "scores")
    choose(figure, place)
    pick(figure, 2 * 4 + 1)
    expect(title).to_contain_text("score of e (1) in head 2 = ")
    pairs = list(
        zip(stages[place_of(shown, "query")]["values"][8:12], cache["keys"][1][8:12])
    )
    figure.shows({f"{of} .text": [see.product(*pair, rel=0.006) for pair in pairs]})
    expect(how).to_contain_text("times 0.500 is the score")
    expect(how).to_contain_text("Head 2, numbers 8 to 11")
    told = see.number(how.inner_text().split("The sum ")[1].split(" times")[0])
    assert told == approx(sum(q * k for q, k in pairs), abs=0.005)

    # Its weight stays picked; all weights of the head are listed, the largest first
    choose(figure, place + 1)
    expect(title).to_contain_text("weight of e (1) in head 2 = ")
    weights = stages[place + 1]["values"][8:12]
    ordered = sorted(weights, reverse=True)
    figure.shows({see.numbers(f"{of} .size"): approx(ordered, rel=0.006)})

    # An average: weight times value, for each token read
    choose(figure, place + 2)
    pick(figure, 9)
    expect(how).to_contain_text("Head 2")
    read = ["BOS (0)", "e (1)", "m (2)", "m (3)"]
    figure.shows({see.count(of): len(read)})
    listed = figure.read(f"{of} .name")
    shares, sizes = figure.read(f"{of} .text"), figure.read(see.numbers(f"{of} .size"))
    for token, name in enumerate(read):
        at, factors = listed.index(name), (weights[token], cache["values"][token][9])
        assert shares[at] == see.product(*factors, rel=0.006)
        assert sizes[at] == approx(factors[0] * factors[1], rel=0.02, abs=1e-4)

    # A sum in the stream: what was found, and what was there
    place = place_of(shown, "x", "mlp")
    choose(figure, place)
    expect(title).to_contain_text("x[9] = ")
    before, after = (stages[i]["values"][9] for i in stages[place]["inputs"])
    figure.shows(parts(("output[9]", None, before), ("x[9]", None, after)))

    # The likeliest tokens
    choose(figure, len(stages) - 1)
    p, logits = stages[-1]["values"], stages[-2]["values"]
    likeliest = sorted(range(27), key=lambda t: -p[t])[:LISTED]
    names = [*(shown["tokens"][t] for t in likeliest), "22 others"]
    figure.shows({f"{of} .name": names})
    sizes = figure.read(see.numbers(f"{of} .size"))[:LISTED]
    assert sizes == approx([p[t] for t in likeliest], rel=0.006)
    texts = figure.read(f"{of} .text")[:LISTED]
    assert [see.number(text.removeprefix("logit ")) for text in texts] == approx(
        [logits[t] for t in likeliest], rel=0.006
    )

    # By mouse, in the picture; by the buttons beside the title
    stations(figure).nth(place_of(shown, "key")).locator(".square").nth(5).click()
    expect(title).to_contain_text("key[5] = ")
    figure.press("One number on")
    expect(title).to_contain_text("key[6] = ")
    figure.press("One step on")
    expect(title).to_contain_text("value[6] = ")
    cell = stations(figure).nth(place_of(shown, "weights")).locator(".square")
    cell.nth(3 * 4 + 2).click()
    expect(title).to_contain_text("weight of m (2) in head 3 = ")
    assert not figure.asked_python()

    # Another name, position and model come from Python.
    figure.type("quentin", enter=False)
    figure.choose("Position", "6")
    figure.press("untrained")
    figure.shows({".title.now": "The untrained model reads i (6), after BOS q u e n t"})
    shown = walk("quentin", 6, "untrained")
    for name in ("query", "weights", "activated", "probabilities"):
        place = place_of(shown, name)
        choose(figure, place)
        # exp and gauss round differently from one C library to the next.
        figure.shows(staged(shown, place, rel=0.011))
    # A shorter name is read at its end; the position that was wished for comes back.
    for name, reads in (("al", "reads l (2)"), ("alexander", "reads n (6)")):
        figure.type(name, enter=False)
        figure.shows({".title.now": see.containing(reads)})
