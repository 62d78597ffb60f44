"""The Trainer: settings, training, comparing runs, and working offline."""

import re

from playwright.sync_api import BrowserContext, Dialog, expect
from pytest import approx

from snippets.sentences import make_sentences
from tests.engine.web_engine import train_in_node
from tests.marks import thorough
from tests.site.widget_page import OpenWidget, WidgetPage, parse_number
from widgets.trainer.model import recorded_run

pytestmark = thorough

ADAM_PAGE = "adam/training/"


def open_setup(widget: WidgetPage) -> WidgetPage:
    widget.find(".setup-form summary").press("Enter")
    expect(widget.field("learning rate")).to_be_visible()
    return widget


def expect_status(widget: WidgetPage, words: str | re.Pattern[str]) -> None:
    expect(widget.find(".caption")).to_contain_text(words)


def test_trainer_refuses_invalid_settings(open_widget: OpenWidget) -> None:
    widget = open_setup(open_widget("trainer", ADAM_PAGE))
    seed_error = "seed: expected a whole number from 0 to"
    for field, wrong, right, message in (
        ("learning rate", "-1", "1e-3", "learning rate: expected a number above 0"),
        ("learning rate", "1e999", "0.01", "learning rate: expected a number above 0"),
        ("width", "18", "16", "heads: width 18 is not a multiple of 4 heads"),
        ("batch", "0", "1", "batch: expected a whole number from 1 to 512, got 0"),
        ("seed", "1.5", "1", f"{seed_error} 9,007,199,254,740,991, got 1.5"),
    ):
        widget.type_text(wrong, field).expect_texts(message, "[invalid]")
        widget.type_text(right, field, enter=False)
        expect(widget.find("[aria-invalid=true]")).to_have_count(0)
    widget.field("Your own names").fill("anna\nbob")
    widget.press("Train").expect_texts("got 2")


def test_trainer_compares_runs_and_steps_through_them(open_widget: OpenWidget) -> None:
    widget = open_widget("trainer", ADAM_PAGE)
    evaluations = recorded_run("sgd-30k")["evaluations"]
    start, *_, end = (f"{x['heldOutLoss']:.3f}" for x in evaluations)
    status = f"fter 30,000 names, four heads, SGD: held-out loss {end}"
    widget.expect_texts(f"Recorded: a{status}")
    widget.press("Train")
    expect_status(widget, f"A{status}")
    rows = widget.find(".with-samples tbody th")
    expect(rows).to_have_text([" four heads, SGD", " four heads"])
    widget.move_slider("", "Home")
    widget.expect_texts(f"SGD 0 {start}", '"One step back" [disabled]')
    widget.move_slider("", "ArrowRight").press("One step back")
    widget.expect_texts("after 0 names: held")
    widget.move_slider("", "End")
    widget.expect_texts(f"SGD 30,000 {end}", '"One step on" [disabled]')
    widget.choose_option("Model", "network")
    widget.press("Train")
    expect_status(widget, "names, one-letter network: held-out loss")
    expect(rows).to_have_count(3)


def test_trainer_offers_only_the_models_that_its_page_names(
    open_widget: OpenWidget,
) -> None:
    page = "gradient-descent/to-the-end/"
    for address in (page, f"{page}?train=model:gpt,heads:2"):
        widget = open_setup(open_widget("trainer", address))
        options = widget.field("Model").locator("option")
        expect(options).to_have_text(["counting pairs", "one-letter network"])
        expect(widget.field("Model")).to_have_value("network")
        expect(widget.find("select")).to_have_count(2)
        expect(widget.find(".setup-form .choices")).to_have_count(0)


def test_trainer_cursor_follows_the_pointer(
    open_widget: OpenWidget, open_widget_on_phone: OpenWidget
) -> None:
    widget = open_widget_on_phone("trainer")
    widget.find(".plot").tap(position={"x": 60, "y": 60})
    held_out = widget.find(".with-samples tbody td").nth(1)
    expect(held_out).to_have_text(re.compile(r"^3\.\d"))
    widget = open_widget("trainer")
    plane = widget.find(".plot-area svg").first
    seen = widget.find(".with-samples tbody tr:first-child td").first
    plane.hover(position={"x": 1, "y": 50})
    expect(seen).to_have_text("0")
    right = widget.bounding_box(".plot-area svg >> nth=0")["width"] - 1
    plane.click(position={"x": right, "y": 50})
    widget.tab.mouse.move(5, 50)
    expect(seen).to_have_text("30,000")


def test_trainer_starts_a_failed_worker_again(open_widget: OpenWidget) -> None:
    widget = open_widget("trainer")
    widget.tab.route("**/trainer-*.js*", lambda route: route.abort())
    widget.press("Train").expect_texts("could not be loaded")
    widget.tab.unroute("**/trainer-*.js*")
    widget.press("Train")
    expect_status(widget, "After 30,000 names, four heads, SGD: held-out")


def test_trainer_run_can_be_stopped_and_continued(open_widget: OpenWidget) -> None:
    widget = open_widget("trainer")
    widget.choose_option("Lines seen", "300000")
    for button in ("Train", "Go on"):
        widget.press(button)
        expect_status(widget, re.compile(r"^\d[\d,]+ of 300,000"))
        widget.press("Stop")
        expect_status(widget, "It can go on.")


def test_trainer_works_offline_and_shares_its_setup(
    fresh_context: BrowserContext, address: str
) -> None:
    widget = WidgetPage.open(fresh_context, address, "trainer")
    widget.press("Train")
    expect_status(widget, "After 30,000 names")
    fresh_context.set_offline(True)
    widget.choose_option("Model", "one")
    open_setup(widget).type_text("0,02", "learning rate")
    expect_status(widget, "one head")
    assert widget.tab.url.endswith("?train=optimizer%3AAdam%2Crate%3A0.02%2Cheads%3A1")
    fresh_context.set_offline(False)
    # Invalid settings in an address are ignored; the parts that it turns off stay off.
    for setup, model in (
        (widget.tab.url.partition("train=")[2], "one"),
        ("heads:99,%3Cb%3E:1", "four"),
        ("seen:1000,off:zeroing", "four"),
    ):
        page = f"{ADAM_PAGE}?train={setup}"
        other = WidgetPage.open(fresh_context, address, "trainer", page)
        expect(other.field("Model")).to_have_value(model)
    other.press("Train")
    expect_status(other, "four heads, SGD, no zeroing of gradients: held-out loss")


def test_trainer_learns_sentences_and_counts_hard_cases(
    open_widget: OpenWidget,
) -> None:
    widget = open_widget("trainer", ADAM_PAGE)
    widget.choose_option("Lines seen", "1000").choose_option("Model", "four")
    widget.choose_option("learns", "sentences").press("Train")
    run = train_in_node(dataset="sentences", learningRate=0.02)
    end = run["evaluations"][-1]
    loss, right = end["heldOutLoss"], 100 * end["hardCasesRight"]
    percent = widget.find(".with-samples tbody td").nth(2)
    expect_status(
        widget, f"After 1,000 sentences, four heads: held-out loss {loss:.3f}, "
    )
    assert parse_number(percent.inner_text()) == approx(right, abs=0.06)
    expect_status(widget, f"{percent.inner_text()} of the hard cases right.")
    widget.expect_texts('row "model sentences seen held-out hard cases right writes"')
    expect(widget.find(".with-samples tbody tr")).to_have_count(1)  # names are no match
    expect(widget.find(".with-samples")).to_contain_text(", ".join(end["names"][:3]))
    # The address brings the list back.
    again = open_widget("trainer", f"{ADAM_PAGE}?{widget.tab.url.partition('?')[2]}")
    for label, value in (("learns", "sentences"), ("Lines seen", "1000")):
        expect(again.field(label)).to_have_value(value)
    # A reader's own lines take the place of the list.
    open_setup(again).field("Your own").fill("\n".join(make_sentences()[:300]))
    again.press("Train")
    expect_status(again, "After 1,000 lines, four heads: held-out loss")
    expect(again.find("thead")).not_to_contain_text("hard cases")


def test_trainer_learns_pasted_names_and_runs_no_html(open_widget: OpenWidget) -> None:
    widget = open_setup(open_widget("trainer"))
    alarms: list[Dialog] = []
    widget.tab.on("dialog", lambda dialog: alarms.append(dialog))
    widget.choose_option("Lines seen", "1000")
    words = [f"{a}{b}{c}" for a in "<bkm" for b in "aou" for c in "nlr"]
    widget.field("Your own names").fill("\n".join(words))
    widget.press("Train")
    expect_status(widget, "After 1,000 lines, four heads")
    widget.press("Copy a link").expect_texts("The address of this")
    assert not alarms
