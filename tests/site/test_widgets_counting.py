"""What readers see in the widgets of counting is what Python counts."""

import math
import re
from functools import cache
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.count_table.model import count_table
from widgets.counting.model import counting
from widgets.dataset.model import dataset
from widgets.name_loss.model import name_loss
from widgets.tokens.model import tokens

# All widgets together are looked at every day.
pytestmark = thorough


def found(result: Any) -> Seen:
    """What the search should show of what Python found."""
    lengths = result["lengths"]
    said = "; ".join(
        f"{x['letters']} letters: {x['found']} of {x['all']:,}" for x in lengths
    )
    return {
        ".says": result["says"],
        "ul.examples li": result["examples"],
        see.attribute(".lengths", "aria-label"): f"Lengths of the names found. {said}",
        ".length .letters": [str(x["letters"]) for x in lengths],
        ".length .count": [str(x["found"] or "") for x in lengths],
    }


def test_dataset(open_figure: Open) -> None:
    figure = open_figure("dataset")
    first: Any = dataset(**figure.given)
    figure.shows(found(first))
    high = [
        [
            x.evaluate("x => x.getBoundingClientRect().height")
            for x in figure.find(of).all()
        ]
        for of in (".length .found", ".length .all")
    ]
    for mine, all_, length in zip(*high, first["lengths"]):
        share = length["share"] * all_
        assert mine * length["share_of_all"] == approx(share, abs=1)

    figure.keys("input[type=text]", "Control+a")
    figure.tab.keyboard.type("Na ")
    figure.tab.keyboard.press("Enter")
    figure.shows(found(dataset("na", "anywhere")))
    figure.press("at the start")
    figure.shows(found(dataset("na", "start")))
    figure.press("at the end")
    figure.shows(found(dataset("na", "end")))
    expect(figure.button("at the end")).to_have_attribute("aria-pressed", "true")
    # What was found is marked where it was found.
    figure.find("input[type=text]").fill("a")
    result: Any = dataset("a", "end")
    figure.shows(found(result))
    assert any("a" in name[:-1] for name in result["examples"])
    assert figure.find("ul.examples li").evaluate_all(
        "all => all.map(x => x.innerHTML)"
    ) == [f"{name[:-1]}<mark>a</mark>" for name in result["examples"]]
    figure.find("input[type=text]").fill("xq")
    figure.shows(found(dataset("xq", "end")))


def split(name: str) -> Seen:
    """The chips of a name's tokens, and of the pairs that they make."""
    result: Any = tokens(name)
    pairs = [pair[end] for pair in result["pairs"] for end in ("question", "answer")]
    return {
        ".title [role=status]": result["says"],
        ".answer > .title:first-child": see.containing(
            f"document(“{name}”): {result['says']}"
        ),
        ".document .chip .name": [one["name"] for one in result["document"]],
        see.numbers(".document .chip .number"): [
            one["token"] for one in result["document"]
        ],
        ".pairs .chip .name": [one["name"] for one in pairs],
        see.numbers(".pairs .chip .number"): [one["token"] for one in pairs],
    }


def test_tokens(open_figure: Open) -> None:
    figure = open_figure("tokens")
    figure.shows(split(figure.given["name"]))
    field = figure.find("input[type=text]")
    field.fill("olivia")
    figure.shows(split("olivia"))
    field.fill("<b>")
    refusal = "the tokenizer does not know the character '<'"
    figure.shows({**split("olivia"), see.count(".answer.stale"): 1}, refusal=refusal)
    field.fill("")
    figure.shows(split(""))
    figure.press("Zoe")
    figure.refuses("type 'zoe', in small letters")


def counted(result: Any, size: int, cell: str) -> Seen:
    """The map has a colour where Python counted, and the cell its count."""
    table = next(t for t in result["tables"] if t["names"] == size)
    names = result["tokens"]
    name, follower = cell.split()
    token, target = names.index(name), names.index(follower)
    row, largest = table["counts"][token], max(map(max, table["counts"]))
    times = {0: "never", 1: "once"}.get(row[target], f"{row[target]:,} times")
    of = "1 name" if size == 1 else f"{size:,} names"
    middle = math.floor(math.sqrt(1 + largest) - 1 + 0.5)
    most = sorted(range(27), key=lambda i: (-row[i], i))[:6]
    followers = [f"{names[i]} {row[i]:,}" for i in most if row[i] > 0]
    more = len(row) - row.count(0) - 6
    rest = f"and {more} others, none of them more often" if more > 0 else ""
    return {
        ".what": f"{name}, then {follower}: {times}",
        ".verdict": f"{of}, {table['pairs']:,} pairs; {table['zeros']} of the 729 cells are 0.",
        see.shades(".heat-map"): [see.strengths(table["counts"], largest, math.log1p)],
        ".legend .ends span": [f"{end:,}" for end in (0, middle, largest)],
        ".filled .name": [
            result["names"][place]
            for place in result["examples"][token][target]
            if result["orders"][place] < size
        ],
        ".row": re.compile(rf"{', '.join(followers)}.*{rest}"),
        see.attribute(".cells", "aria-description"): at_a_glance(names, table),
    }


def at_a_glance(names: list[str], table: Any) -> str:
    """What a map of the table is to who cannot see it: its size and its extremes."""
    counts = table["counts"]
    most = max(map(max, counts))
    cells = [(a, b) for a in range(27) for b in range(27) if counts[a][b] == most]
    largest = f"{most:,}, in {len(cells)} cells"
    if len(cells) == 1:
        a, b = cells[0]
        largest = f"{most:,}: {names[a]}, then {names[b]}: {most:,} times"
    zeros = f"0, in {table['zeros']} cells"
    return f"27 rows, 27 columns; smallest {zeros}; largest {largest}"


def test_count_table(open_figure: Open) -> None:
    figure = open_figure("count_table")
    result: Any = count_table(**figure.given)
    figure.shows(counted(result, 1000, "m a"))
    figure.shows({".axes span": ["↓ current token", "→ next token"]})
    figure.keys(".cells", "ArrowDown")
    for size, button in ((1, "1 name"), (10, "10"), (5676, "all 5,676")):
        figure.press(button)
        figure.shows(counted(result, size, "n a"))
    # A row is chosen by its letter, and shows first what follows most often.
    figure.press("1,000")
    figure.keys(figure.radio("m"), "q")
    figure.shows(counted(result, 1000, "q u"))
    figure.tab.keyboard.press("End")
    expect(figure.radio("BOS")).to_be_checked()
    first = figure.read(".what strong")[-1]
    row = next(t for t in result["tables"] if t["names"] == 1000)["counts"][26]
    assert row[result["tokens"].index(first)] == max(row)
    cell = " ".join(figure.read(".what strong"))
    figure.press("shuffle again")
    figure.shows(counted(count_table(figure.given["seed"] + 1), 1000, cell))


count_name = cache(counting)


def learning(result: Any, chosen: int, step: int) -> Seen:
    """The row, the table, the lit line and the words of a step of counting."""
    start, now, names = (
        result["starts"][chosen],
        result["steps"][step],
        result["tokens"],
    )
    place = now["pair"] if now["pair"] is not None else 0 if step == 0 else -1
    pair = start["pairs"][place]
    before, after_, at = pair["before"], pair["after"], pair["target"]
    came, name = names[pair["token"]], names[at]
    columns = [
        ["–"] * 3
        if step == 0 and side is after_
        else [
            f"{side['counts'][at]} + 1 of {side['total']}",
            f"{side['p'][at]:.4f}",
            f"{side['others']:.4f}",
        ]
        for side in (before, after_)
    ]
    if step == 0:
        words: object = see.containing(f"its loss is {start['loss']:.4f}")
    elif now["pair"] is None:
        spelt = "".join(names[token] for token in result["document"][1:-1])
        words = re.compile(rf"would give “{spelt}”.*{start['again']:.4f}")
    else:
        words = (
            f"{came} → {name}: the count goes from {before['counts'][at]} to "
            f"{after_['counts'][at]}, the probability from {before['p'][at]:.4f} to "
            f"{after_['p'][at]:.4f}. The rest of the row shares {after_['others']:.4f}."
        )
    most = max(
        p
        for each in start["pairs"]
        for side in ("before", "after")
        for p in each[side]["p"]
    )
    shown = before if step == 0 else after_
    return {
        ".column .count": [str(n) for n in shown["counts"]],
        ".column .name": names,
        ".column.lit .name": name,
        see.style(".column .fill", "height"): approx(
            [100 * p / most for p in shown["p"]], abs=0.06
        ),
        ".title b": came,
        ".document .now": [came, name] if now["pair"] is not None else [],
        **see.listing(now, result["functions"]),
        ".readout tbody td": [text for row in zip(*columns) for text in row],
        ".words": words,
    }


def test_counting(open_figure: Open) -> None:
    figure = open_figure("counting")
    result: Any = count_name("emma")
    figure.shows(learning(result, 0, 1))
    sizes = {figure.height()}
    for chosen, learnt in enumerate(("none", "10", "100", "1,000")):
        figure.press(learnt)
        figure.walks(
            learning(result, chosen, step) for step in range(len(result["steps"]))
        )
        sizes.add(figure.height())
    assert len(sizes) == 1, "the widget grows or shrinks"
    assert not figure.asked_python()
    figure.press("none")
    figure.type("anna")
    figure.shows({".document > span": ["BOS", "a", "n", "n", "a", "BOS"]})
    figure.walks(learning(count_name("anna"), 0, step) for step in range(7))
    figure.press("emma")
    figure.shows(learning(result, 0, 1))


def scored(name: str, chosen: int, step: int) -> Seen:
    """The table and the bars of a name that is scored by one of the models."""
    result: Any = name_loss(name)
    model, names = result["models"][chosen], result["tokens"]
    questions = model["questions"]
    asked = questions[:step]
    rows = [
        [
            f"{names[q['token']]} → {names[q['target']]}",
            *(
                [f"{q['p']:.4f}", "", f"{q['loss']:.4f}", f"{q['choice']:.1f}"]
                if i < step
                else [""] * 4
            ),
        ]
        for i, q in enumerate(questions)
    ]
    last = asked[-1] if asked else None
    mean = [f"{last['mean']:.4f}", f"{last['mean_choice']:.1f}"] if last else ["–", "–"]
    losses = [q["loss"] for each in result["models"] for q in each["questions"]]
    full = 1.04 * max(result["blind"], *losses)
    long = [q["loss"] for q in asked] + [last["mean"] if last else 0.0]
    blind = [100 * result["blind"] / full] * (step + 1)
    return {
        "caption": see.containing(
            f"“{name}” scored by a model that has learnt {model['learnt']:,} names"
        ),
        ".readout tbody :is(th, td)": [text for row in rows for text in row],
        "tfoot :is(th, td)": [f"mean of {step}", "", *mean],
        **see.widths(".track .fill", [100 * x / full for x in long]),
        see.style(".track .blind", "left"): approx(blind, abs=0.06),
        see.count("tbody .fill.over"): sum(q["loss"] > result["blind"] for q in asked),
        ".note": see.containing(f"blind guess, {result['blind']:.4f}"),
    }


def test_name_loss(open_figure: Open) -> None:
    figure = open_figure("name_loss")
    sizes = {figure.height()}
    figure.shows(scored("emma", 3, 5))
    for chosen, learnt in enumerate(("0", "10", "100", "1,000")):
        figure.press(learnt)
        figure.shows(scored("emma", chosen, 5))
        sizes.add(figure.height())
    figure.walks(scored("emma", 3, step) for step in range(4))
    assert sizes == {figure.height()}
    spoken = (
        "m → m: probability 0.0107, loss 4.5362, as unsure as a fair choice among 93.3"
    )
    expect(figure.find(".player [role=status]")).to_contain_text(spoken)
    assert not figure.asked_python()
    figure.type("xavier")
    figure.shows(scored("xavier", 3, 7))
