"""What readers see in the widgets of the transformer is what Python computes."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect
from pytest import approx

from tests.site import see
from tests.site.figure import Figure, Open
from tests.thorough import thorough
from widgets.heads.model import heads

# All widgets together are looked at every day.
pytestmark = thorough


# All that each row of the picture of heads shows
ROWS = """rows => rows.map(row => {
  const of = (part, look) => [...row.querySelectorAll(part)].map(look);
  return {
    name: row.dataset.name,
    widths: of(".fill", x => parseFloat(x.style.width) || 0),
    written: of("b", x => x.innerText),
    shades: of(".entry", x => parseFloat(x.style.getPropertyValue("--shade")) || 0),
    below: of(".entry", x => x.classList.contains("below")),
    taken: of(".band", x => x.matches(".taken, .taken *")),
  };
})"""


def rows_of(shown: Any, position: int, at: int) -> list[tuple[str, list[float]]]:
    """The vectors of the picture from top to bottom, with the numbers that are there."""
    step, now = shown["steps"][at], shown["positions"][position]

    def single(name: str) -> tuple[str, list[float]]:
        return name, now[name] if name in step["holds"] else []

    def cached(name: str) -> list[tuple[str, list[float]]]:
        known = position + (name.removesuffix("s") in step["holds"])
        return [(name, v if i < known else []) for i, v in enumerate(shown[name])]

    done = step["gathered"] // shown["head_dim"]
    weights = [
        [head[i] for head in now["weights"][:done]] if i <= position else []
        for i in range(len(shown["tokens"]))
    ]
    return [
        single("x"),
        single("query"),
        *cached("keys"),
        *(("weights", each) for each in weights),
        *cached("values"),
        ("gathered", now["gathered"][: step["gathered"]]),
        single("output"),
        single("returned"),
    ]


def assert_heads(figure: Figure, shown: Any, position: int, at: int) -> None:
    """Line, words and every cell of the picture are Python's at a step."""
    step, now = shown["steps"][at], shown["positions"][position]
    figure.shows(
        {
            ".words": now["says"][at],
            ".count": f"{at} of {len(shown['steps']) - 1}",
            ".code .lit .number": [str(step["line"])] if step["line"] else [],
        }
    )
    of_all = range(shown["n_head"])
    at_work = of_all if step["head"] < 0 else [step["head"]]
    expected = []
    for name, values in rows_of(shown, position, at):
        whole = name in ("x", "output", "returned")
        takes = name in step["takes"]
        row: dict[str, object] = {
            "name": name,
            "taken": [takes and (whole or i in at_work) for i in of_all],
        }
        if name == "weights":
            written = values if shown["n_head"] <= 8 else []
            row["widths"] = approx([100 * w for w in values], abs=0.06)
            row["written"] = [f"{w:.2f}" for w in written]
        else:
            cached = name in ("keys", "values")
            known = shown[name] if cached else [p[name] for p in shown["positions"]]
            most = max(abs(x) for vector in known for x in vector)
            missing = 16 - len(values)
            row["shades"] = [abs(see.strength(x, most)) for x in values] + [0] * missing
            row["below"] = [x < 0 for x in values] + [False] * missing
        expected.append(row)
    rows = figure.find("[data-row]").evaluate_all(ROWS)
    seen = [{key: row[key] for key in of} for row, of in zip(rows, expected)]
    assert seen == expected


def test_heads(open_figure: Open) -> None:
    figure = open_figure("heads")
    shown: Any = heads("emma", 4)
    last = len(shown["steps"]) - 1
    assert_heads(figure, shown, 4, last)
    figure.press("To the start")
    for at in range(last):
        assert_heads(figure, shown, 4, at)
        figure.press("One step on")
    expect(figure.button("One step on")).to_be_focused()
    spoken = figure.find(".player [role=status]")
    expect(spoken).to_have_text(shown["positions"][4]["says"][last])
    # Another token of the name, at the same line
    figure.slide("", 9)
    read = figure.root.get_by_role("group", name="The token that attention reads")
    for position in (0, 2):
        read.get_by_role("button").nth(position).press("Enter")
        assert_heads(figure, shown, position, 9)
    read.get_by_role("button").nth(4).press("Enter")
    figure.slide("", "End")

    # Each number can be read, by keyboard
    says, picture = figure.find(".reading"), figure.find(".vectors")
    now = shown["positions"][4]

    def said(value: float) -> str:
        return f"{value:#.3g}".replace("-", "−")

    figure.find("[data-name=query] .entry").nth(3).click()
    figure.find(".words").hover()
    expect(says).to_contain_text(f"number 3, of head 0, is {said(now['query'][3])}")
    query = f"query: number 5, of head 1, is {said(now['query'][5])}"
    key = f"key of m at position 2: number 5, of head 1, is {said(shown['keys'][2][5])}"
    weight = (
        f"attention weight of m at position 2: in head 2 is {now['weights'][2][2]:.3f}"
    )
    for keys, text in (
        (["ArrowUp", "Home"], f"x: number 0 is {said(now['x'][0])}"),
        (["ArrowDown", *["ArrowRight"] * 5], query),
        (["ArrowDown"] * 3, key),
        ([*["ArrowDown"] * 5, "ArrowRight"], weight),
        (
            ["End", *["ArrowDown"] * 11],
            see.containing("what attention returns: number 15"),
        ),
    ):
        figure.keys(picture, *keys)
        figure.shows(
            {".reading": text, see.count(".entry.picked"): 1}
            if "number 15" in text
            else {".reading": text}
        )
        expect(figure.find(".picture-of-heads [role=status]")).to_contain_text(
            str(text)
        )
    # By mouse: passing over reads, pressing keeps
    row = figure.find("[data-name=gathered] .entry")
    row.nth(9).hover()
    gathered = f"gathered: number 9, of head 2, is {said(now['gathered'][9])}"
    expect(says).to_have_text(gathered)
    row.nth(9).click()
    figure.find(".words").hover()
    expect(says).to_have_text(gathered)
    figure.press("To the start")
    expect(says).to_have_text("gathered: number 9, of head 2, is not there yet")
    assert not figure.asked_python()

    # Other cuts and names come from Python.
    figure.slide("", "End")
    figure.type("kylie", enter=False)
    for n_head in (1, 16):
        figure.press(str(n_head), within="[aria-label='Number of heads']")
        shown = heads("kylie", n_head)
        last = len(shown["steps"]) - 1
        figure.shows({".count": f"{last} of {last}"})
        assert_heads(figure, shown, 5, last)
    figure.slide("", 14)
    assert_heads(figure, shown, 5, 14)
