"""One token through the whole model, in a reader's hands: every vector, every number."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.site.browsing import LONG, strength, styles
from tests.thorough import thorough
from widgets.walk.model import Walk, WalkStage, walk

# All widgets together are looked at every day.
pytestmark = thorough

LISTED = 5


def opened(context: BrowserContext, address: str) -> Locator:
    """Open the page, and wait until the widget can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}transformer/forward-pass/")
    figure = tab.locator("[data-widget=walk]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def answered(figure: Locator) -> None:
    """Wait until Python has answered what was asked last."""
    expect(figure.locator(".stale")).to_have_count(0, timeout=LONG)
    expect(figure.locator(".python")).to_have_attribute("data-busy", "false")


def number(text: str) -> float:
    """Read a number as readers see it."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    return float(text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e"))


def stations(figure: Locator) -> Locator:
    return figure.locator(".station")


def choose(figure: Locator, place: int) -> None:
    """Choose a stage by keyboard: the buttons below stay in view, and may cover it."""
    figure.get_by_role("radio").nth(place).press(" ")
    expect(stations(figure).nth(place)).to_contain_class("picked")


def place_of(shown: Walk, name: str, part: str = "") -> int:
    return next(
        place
        for place, stage in enumerate(shown["stages"])
        if stage["name"] == name and part in stage["part"]
    )


def pick(figure: Locator, index: int) -> None:
    """Pick a number of the stage by keyboard."""
    vector = figure.get_by_role("listbox")
    vector.focus()
    vector.press("Home")
    for _ in range(index):
        vector.press("ArrowRight")


def names_of(shown: Walk, stage: WalkStage) -> list[str]:
    """What the numbers of a stage are called."""
    count, tokens = len(shown["read"]), shown["tokens"]
    numbers = range(len(stage["values"]))
    letters = [tokens[token] for token in shown["read"]]
    match stage["made"]:
        case "score" | "weight":
            return [
                f"{stage['made']} of {letters[i % count]} ({i % count})"
                f" in head {i // count}"
                for i in numbers
            ]
        case "chance":
            return [f"probability of {token}" for token in tokens]
    if stage["name"] == "logits":
        return [f"logit of {token}" for token in tokens]
    return [f"{stage['name']}[{i}]" for i in numbers]


def assert_stage(figure: Locator, shown: Walk, place: int, rel: float = 0.006) -> None:
    """The stage that is chosen says every number, its words and its lines."""
    stage = shown["stages"][place]
    options = figure.get_by_role("listbox").get_by_role("option")
    said = [
        label.split(" = ")
        for label in options.evaluate_all("all => all.map(x => x.ariaLabel)")
    ]
    assert [name for name, _ in said] == names_of(shown, stage)
    assert [number(value) for _, value in said] == pytest.approx(
        stage["values"], rel=rel, abs=1e-9
    )
    if rel > 0.01:
        return
    expect(figure.locator(".says")).to_have_text(stage["says"])
    lit = figure.locator(".code .lit .number")
    expect(lit).to_have_text(str(stage["lines"][0]))
    waiting = figure.locator(".code .waiting .number").all_inner_texts()
    assert sorted(map(int, waiting)) == sorted(stage["lines"][1:])


def test_every_stage_says_what_python_says(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    shown = walk("emma", 3, "trained")
    expect(figure.locator(".title.now")).to_have_text(
        "The trained model reads m (3), after BOS e m"
    )
    assert stations(figure).count() == len(shown["stages"])
    expect(figure.locator(".map .heading")).to_have_text(
        [
            "into the stream",
            "layer 0: attention",
            "layer 0: MLP",
            "out of the stream",
        ]
    )
    scores = stations(figure).nth(place_of(shown, "scores"))
    expect(scores.locator(".letters span")).to_have_text(["·", "e", "m", "m"])
    # By keyboard, from the first to the last
    choose(figure, 0)
    heights = set()
    for place, stage in enumerate(shown["stages"]):
        expect(stations(figure).nth(place)).to_contain_class("picked")
        assert_stage(figure, shown, place)
        cells = stations(figure).nth(place).locator(".fill")
        strong = styles(cells, "--shade")
        expected = [abs(strength(v, stage["limit"])) for v in stage["values"]]
        assert strong == expected
        below = cells.evaluate_all("all => all.map(x => x.matches('.below, .below *'))")
        assert below == [v < 0 for v in stage["values"]]
        lit = stations(figure).evaluate_all(
            "all => all.flatMap((x, i) => x.matches('.input') ? [i] : [])"
        )
        assert lit == sorted(stage["inputs"])
        box = figure.bounding_box()
        assert box is not None
        heights.add(round(box["height"]))
        figure.get_by_role("radio").nth(place).press("ArrowDown")
    assert len(heights) == 1


def parts(figure: Locator) -> list[tuple[str, str, float, float]]:
    """What is listed of a number: name, text, size, and the length of its bar."""
    found = []
    for row in figure.locator(".contributions li:not(.empty)").all():
        width = row.locator(".bar-of-product").evaluate(
            "x => parseFloat(x.style.width)"
        )
        sign = -1 if "below" in (row.get_attribute("class") or "") else 1
        found.append(
            (
                row.locator(".name").inner_text(),
                row.locator(".text").inner_text(),
                number(row.locator(".size").inner_text()),
                sign * width,
            )
        )
    return found


def test_a_number_tells_what_it_was_made_of(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    shown = walk("emma", 3, "trained")
    stages, (cache,) = shown["stages"], shown["caches"]

    # A row that is looked up, and a number that is scaled with all others
    how = figure.locator(".how")
    choose(figure, place_of(shown, "position_embedding"))
    pick(figure, 5)
    assert [name for name, *_ in parts(figure)] == ["wpe[3][5]"]
    place = place_of(shown, "normed")
    choose(figure, place)
    ((name, text, size, _),) = parts(figure)
    assert name == "x[5]"
    scaled = [stages[place - 1]["values"][5], stages[place]["scale"]]
    assert [number(each) for each in text.split(" × ")] == (
        pytest.approx(scaled, rel=0.006)
    )
    assert size == pytest.approx(stages[place]["values"][5], rel=0.006)

    # A dot product: the largest products, and what the others come to
    place = place_of(shown, "hidden")
    choose(figure, place)
    pick(figure, 37)
    expect(how).to_contain_text("rmsnorm(x) with row 37 of mlp_fc1: 16 products")
    value = stages[place]["values"][37]
    title = figure.locator(".detail .title")
    expect(title).to_contain_text("hidden[37] = ")
    assert number(title.inner_text().split(" = ")[1]) == pytest.approx(value, rel=0.006)
    x = stages[place - 1]["values"]
    row = shown["weights"]["layer0.mlp_fc1"][37]
    products = [a * w * shown["unit"] for a, w in zip(x, row, strict=True)]
    order = sorted(range(16), key=lambda i: -abs(products[i]))[:LISTED]
    listed = parts(figure)
    assert [name for name, *_ in listed] == [
        *(f"rmsnorm(x)[{i}]" for i in order),
        "11 others",
    ]
    for i, (_, text, size, width) in zip(order, listed, strict=False):
        factors = [number(factor) for factor in text.split(" × ")]
        assert factors == pytest.approx([x[i], row[i] * shown["unit"]], rel=0.006)
        assert size == pytest.approx(products[i], rel=0.006)
        share = 50 * products[i] / abs(products[order[0]])
        assert width == pytest.approx(share, abs=0.06)
    assert sum(size for _, _, size, _ in listed) == pytest.approx(value, abs=0.01)
    marked = stations(figure).nth(place - 1).locator(".also")
    assert marked.count() == LISTED

    # What ReLU lets pass, and what it does not
    hidden = stages[place]["values"]
    choose(figure, place + 1)
    for index in (
        next(i for i, h in enumerate(hidden) if h > 0),
        next(i for i, h in enumerate(hidden) if h < 0),
    ):
        pick(figure, index)
        above = hidden[index] > 0
        expect(how).to_have_text(
            "Above 0, so ReLU lets it pass:"
            if above
            else "Not above 0, so ReLU makes it 0:"
        )
        ((name, _, size, _),) = parts(figure)
        assert name == f"hidden[{index}]"
        assert size == pytest.approx(hidden[index], rel=0.006)

    # A score, of a key that an earlier token left in the cache
    place = place_of(shown, "scores")
    choose(figure, place)
    pick(figure, 2 * 4 + 1)
    expect(title).to_contain_text("score of e (1) in head 2 = ")
    query = stages[place_of(shown, "query")]["values"][8:12]
    assert [number(f) for _, text, *_ in parts(figure) for f in text.split(" × ")] == (
        pytest.approx(
            [
                f
                for pair in zip(query, cache["keys"][1][8:12], strict=True)
                for f in pair
            ],
            rel=0.006,
        )
    )
    total = sum(q * k for q, k in zip(query, cache["keys"][1][8:12], strict=True))
    expect(how).to_contain_text("times 0.500 is the score")
    expect(how).to_contain_text("Head 2, numbers 8 to 11")
    said = number(how.inner_text().split("The sum ")[1].split(" times")[0])
    assert said == pytest.approx(total, abs=0.005)

    # Its weight stays picked; all weights of the head are listed, the largest first
    place += 1
    choose(figure, place)
    expect(title).to_contain_text("weight of e (1) in head 2 = ")
    weights = stages[place]["values"][8:12]
    sizes = [size for _, _, size, _ in parts(figure)]
    assert sizes == pytest.approx(sorted(weights, reverse=True), rel=0.006)

    # An average: weight times value, for each token read
    choose(figure, place + 1)
    pick(figure, 9)
    expect(how).to_contain_text("Head 2")
    found = {name: size for name, _, size, _ in parts(figure)}
    factors = {name: text.split(" × ") for name, text, *_ in parts(figure)}
    for token, name in enumerate(["BOS (0)", "e (1)", "m (2)", "m (3)"]):
        expected = weights[token] * cache["values"][token][9]
        assert found[name] == pytest.approx(expected, rel=0.02, abs=1e-4)
        true = [weights[token], cache["values"][token][9]]
        assert [number(x) for x in factors[name]] == pytest.approx(true, rel=0.006)

    # A sum in the stream: what was found, and what was there
    place = place_of(shown, "x", "mlp")
    choose(figure, place)
    expect(title).to_contain_text("x[9] = ")
    assert [name for name, *_ in parts(figure)] == ["output[9]", "x[9]"]
    before, after = (stages[i]["values"][9] for i in stages[place]["inputs"])
    assert [size for _, _, size, _ in parts(figure)] == pytest.approx(
        [before, after], rel=0.006
    )

    # The likeliest tokens
    choose(figure, len(stages) - 1)
    p = stages[-1]["values"]
    likeliest = sorted(range(27), key=lambda t: -p[t])[:LISTED]
    assert [name for name, *_ in parts(figure)] == [
        *(shown["tokens"][t] for t in likeliest),
        "22 others",
    ]
    logits = stages[-2]["values"]
    listed = parts(figure)[:LISTED]
    assert [size for _, _, size, _ in listed] == (
        pytest.approx([p[t] for t in likeliest], rel=0.006)
    )
    assert [number(text.removeprefix("logit ")) for _, text, *_ in listed] == (
        pytest.approx([logits[t] for t in likeliest], rel=0.006)
    )

    # By mouse, in the picture; by the buttons beside the title
    place = place_of(shown, "key")
    tape = stations(figure).nth(place).locator(".square").nth(5)
    tape.click()
    expect(title).to_contain_text("key[5] = ")
    figure.get_by_role("button", name="One number on").press("Enter")
    expect(title).to_contain_text("key[6] = ")
    figure.get_by_role("button", name="One step on").click()
    expect(title).to_contain_text("value[6] = ")
    cell = stations(figure).nth(place_of(shown, "weights")).locator(".square")
    cell.nth(3 * 4 + 2).click()
    expect(title).to_contain_text("weight of m (2) in head 3 = ")


def test_another_name_position_and_model_come_from_python(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    name = figure.get_by_label("A name", exact=True)
    name.fill("quentin")
    figure.get_by_label("Position", exact=True).select_option("6")
    figure.get_by_role("button", name="untrained", exact=True).click()
    expect(figure.locator(".title.now")).to_have_text(
        "The untrained model reads i (6), after BOS q u e n t", timeout=LONG
    )
    answered(figure)
    shown = walk("quentin", 6, "untrained")
    for stage in ("query", "weights", "activated", "probabilities"):
        place = place_of(shown, stage)
        choose(figure, place)
        # exp and gauss round differently from one C library to the next.
        assert_stage(figure, shown, place, rel=0.011)

    # A shorter name is read at its end; the position that was wished for comes back.
    name.fill("al")
    expect(figure.locator(".title.now")).to_contain_text("reads l (2)", timeout=LONG)
    name.fill("alexander")
    expect(figure.locator(".title.now")).to_contain_text("reads n (6)", timeout=LONG)
    answered(figure)

    # Nonsense is refused in a sentence, and the picture stays.
    for nonsense, sentence in (
        ("al3x", "does not know the character '3'"),
        ("abcdefghijklmnop", "type at most 15 letters"),
        ("", "one letter or more"),
    ):
        name.fill(nonsense)
        expect(figure.locator(".refusal")).to_contain_text(sentence, timeout=LONG)
        expect(figure.locator(".title.now")).to_contain_text("reads n (6)")
