"""The Trainer: what is trained in the page, and all that can be done with it."""

import re
from collections.abc import Callable
from re import Pattern

from playwright.sync_api import BrowserContext, Dialog, expect

from tests.site.figure import Figure, Open
from tests.thorough import thorough

pytestmark = thorough


def open_set_up(figure: Figure) -> None:
    figure.find(".set-up summary").press("Enter")
    expect(figure.field("learning rate")).to_be_visible()


def says(figure: Figure, words: str | Pattern[str]) -> None:
    expect(figure.find(".says")).to_contain_text(words)


def refuses(figure: Figure, reason: str) -> None:
    expect(figure.find("> .stage > .refusal")).to_contain_text(reason)


def test_a_mouse_moves_the_cursor_and_a_worker_is_begun_again(
    open_figure: Open,
) -> None:
    figure = open_figure("trainer")
    figure.find(".plane svg").first.scroll_into_view_if_needed()
    box = figure.box(".plane svg >> nth=0")
    mouse, middle = figure.tab.mouse, box["y"] + box["height"] / 2
    seen = figure.find(".invented tbody tr:first-child td").first
    mouse.move(box["x"] + 1, middle)
    expect(seen).to_have_text("0")
    mouse.move(box["x"] + box["width"] - 1, middle)
    mouse.down()
    mouse.up()
    mouse.move(5, middle)
    expect(seen).to_have_text("30,000")
    # A worker that cannot be loaded is begun again.
    figure.tab.route("**/trainer-*.js*", lambda route: route.abort())
    figure.press("Train")
    refuses(figure, "could not be loaded")
    figure.tab.unroute("**/trainer-*.js*")
    figure.press("Train")
    says(figure, "After 30,000 names, four heads, SGD: held-out")


def test_a_finger_moves_the_cursor(touching: Callable[[str], Figure]) -> None:
    figure = touching("trainer")
    figure.find(".planes").tap(position={"x": 60, "y": 60})
    held_out = figure.find(".invented tbody td").nth(1)
    expect(held_out).to_have_text(re.compile(r"^3\.\d"))


def train_a_while(figure: Figure, press: str) -> None:
    """Begin or go on with a long run, and stop it."""
    figure.press(press)
    says(figure, re.compile(r"^\d[\d,]+ of 300,000"))
    figure.press("Stop")
    says(figure, "It can go on.")


def test_a_run_is_stopped_and_goes_on(open_figure: Open) -> None:
    figure = open_figure("trainer")
    figure.choose("Names seen", "300000")
    train_a_while(figure, "Train")
    train_a_while(figure, "Go on")


def test_it_trains_without_a_network_and_its_address_shares_the_set_up(
    newcomer: BrowserContext, address: str
) -> None:
    figure = Figure.open(newcomer, address, "trainer")
    figure.press("Train")
    says(figure, "After 30,000 names")
    newcomer.set_offline(True)
    figure.choose("Model", "one")
    open_set_up(figure)
    figure.type("0,02", "learning rate")
    says(figure, "one head")
    assert figure.tab.url.endswith("?train=optimizer%3AAdam%2Crate%3A0.02%2Cheads%3A1")
    newcomer.set_offline(False)
    other = Figure(newcomer.new_page(), "trainer")
    other.tab.goto(figure.tab.url)
    other.comes_alive()
    expect(other.field("Model")).to_have_value("one")
    # What makes no sense in an address is passed by.
    other.tab.goto(re.sub("train=.*", "train=heads:99,%3Cb%3E:1", figure.tab.url))
    other.comes_alive()
    expect(other.field("Model")).to_have_value("four")


def test_own_names_ten_seeds_and_a_look_inside(open_figure: Open) -> None:
    figure = open_figure("trainer")
    alarms: list[Dialog] = []
    figure.tab.on("dialog", lambda dialog: alarms.append(dialog))
    figure.choose("Names seen", "1000")
    open_set_up(figure)
    field = figure.field("Your own names")
    field.fill("anna\nbob")
    figure.press("Train")
    refuses(figure, "these are 2")
    words = [f"{a}{b}{c}" for a in "<bkm" for b in "aou" for c in "nlr"]
    field.fill("\n".join(words))
    figure.press("Train")
    says(figure, "After 1,000 names, four heads")
    figure.press("Ten seeds")
    says(figure, "With 10 seeds")
    expect(figure.find(".plane .line.each")).to_have_count(10)
    figure.find(".inside summary").press("Enter")
    expect(figure.find(".inside .refusal")).to_contain_text("knows, not “e”")
    figure.field("Where does each letter look").fill("<an")
    expect(figure.find(".inside .looks .arc")).to_have_count(4)
    expect(figure.find(".inside .note")).to_contain_text("Complete, it invents these")
    figure.press("head 3")
    assert not alarms and not figure.asked_python()
