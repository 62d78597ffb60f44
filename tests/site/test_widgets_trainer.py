"""The Trainer: what is trained in the page, and all that can be done with it."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Dialog, expect

from tests.marks import thorough
from tests.site.widget_page import Figure, Open
from widgets.trainer.model import recorded

pytestmark = thorough

ADAM = "adam/training/"


def open_set_up(figure: Figure) -> Figure:
    figure.find(".set-up summary").press("Enter")
    expect(figure.field("learning rate")).to_be_visible()
    return figure


def says(figure: Figure, words: str | re.Pattern[str]) -> None:
    expect(figure.find(".says")).to_contain_text(words)


def test_trainer_refuses_invalid_settings(open_figure: Open) -> None:
    figure = open_set_up(open_figure("trainer", ADAM))
    for field, wrong, right, says in (
        ("learning rate", "-1", "1e-3", "learning rate: a number above 0, and at most"),
        ("learning rate", "1e999", "0.01", "learning rate: a number above 0, and at"),
        ("width", "18", "16", "heads: width 18 is not a multiple of 4 heads"),
        ("batch", "0", "1", "batch: expected a whole number from 1 to 512, got 0"),
        (
            "seed",
            "1.5",
            "1",
            "seed: expected a whole number from 0 to 9,007,199,254,740,991, got 1.5",
        ),
    ):
        figure.type(wrong, field).shows(says, "[invalid]")
        figure.type(right, field, enter=False)
        expect(figure.find("[aria-invalid=true]")).to_have_count(0)
    figure.field("Your own names").fill("anna\nbob")
    figure.press("Train").shows("got 2")


def test_trainer_compares_runs_and_steps_through_them(open_figure: Open) -> None:
    figure = open_figure("trainer", ADAM)
    start, *_, end = (f"{x['heldOut']:.3f}" for x in recorded("sgd-30k")["moments"])
    told = f"fter 30,000 names, four heads, SGD: held-out loss {end}"
    figure.shows(f"Recorded: a{told}")
    figure.press("Train")
    says(figure, f"A{told}")
    rows = figure.find(".with-samples tbody th")
    expect(rows).to_have_text([" four heads, SGD", " four heads"])
    figure.slide("", "Home").shows(f"SGD 0 {start}", '"One step back" [disabled]')
    figure.slide("", "ArrowRight").press("One step back").shows("after 0 names: held")
    figure.slide("", "End").shows(f"SGD 30,000 {end}", '"One step on" [disabled]')
    figure.choose("Model", "network")
    figure.press("Train")
    says(figure, "names, one-letter network: held-out loss")
    expect(rows).to_have_count(3)


def test_trainer_cursor_follows_pointer_and_failed_worker_restarts(
    open_figure: Open, touching: Callable[[str], Figure]
) -> None:
    figure = touching("trainer")
    figure.find(".plot").tap(position={"x": 60, "y": 60})
    held_out = figure.find(".with-samples tbody td").nth(1)
    expect(held_out).to_have_text(re.compile(r"^3\.\d"))
    figure = open_figure("trainer")
    plane = figure.find(".plot-area svg").first
    seen = figure.find(".with-samples tbody tr:first-child td").first
    plane.hover(position={"x": 1, "y": 50})
    expect(seen).to_have_text("0")
    plane.click(
        position={"x": figure.box(".plot-area svg >> nth=0")["width"] - 1, "y": 50}
    )
    figure.tab.mouse.move(5, 50)
    expect(seen).to_have_text("30,000")
    # A worker that cannot be loaded is begun again.
    figure.tab.route("**/trainer-*.js*", lambda route: route.abort())
    figure.press("Train").shows("could not be loaded")
    figure.tab.unroute("**/trainer-*.js*")
    figure.press("Train")
    says(figure, "After 30,000 names, four heads, SGD: held-out")


def test_trainer_run_can_be_stopped_and_continued(open_figure: Open) -> None:
    figure = open_figure("trainer")
    figure.choose("Names seen", "300000")
    for button in ("Train", "Go on"):
        figure.press(button)
        says(figure, re.compile(r"^\d[\d,]+ of 300,000"))
        figure.press("Stop")
        says(figure, "It can go on.")


def test_trainer_works_offline_and_its_address_shares_the_setup(
    newcomer: BrowserContext, address: str
) -> None:
    figure = Figure.open(newcomer, address, "trainer")
    figure.press("Train")
    says(figure, "After 30,000 names")
    newcomer.set_offline(True)
    figure.choose("Model", "one")
    open_set_up(figure).type("0,02", "learning rate")
    says(figure, "one head")
    assert figure.tab.url.endswith("?train=optimizer%3AAdam%2Crate%3A0.02%2Cheads%3A1")
    newcomer.set_offline(False)
    # What makes no sense in an address is passed by; what it switches off stays off.
    for setup, model in (
        (figure.tab.url.partition("train=")[2], "one"),
        ("heads:99,%3Cb%3E:1", "four"),
        ("seen:1000,off:zeroing", "four"),
    ):
        other = Figure.open(newcomer, address, "trainer", f"{ADAM}?train={setup}")
        expect(other.field("Model")).to_have_value(model)
    other.press("Train")
    says(other, "four heads, SGD, no zeroing of gradients: held-out loss")


def test_trainer_learns_pasted_names_without_executing_html(open_figure: Open) -> None:
    figure = open_set_up(open_figure("trainer"))
    alarms: list[Dialog] = []
    figure.tab.on("dialog", lambda dialog: alarms.append(dialog))
    figure.choose("Names seen", "1000")
    words = [f"{a}{b}{c}" for a in "<bkm" for b in "aou" for c in "nlr"]
    figure.field("Your own names").fill("\n".join(words))
    figure.press("Train")
    says(figure, "After 1,000 names, four heads")
    figure.press("Copy a link").shows("The address of this")
    assert not alarms
