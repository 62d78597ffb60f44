"""What a reader's own browser measures stands beside the record of the engines."""

from playwright.sync_api import expect

from tests.site.figure import Open
from tests.thorough import thorough


# All widgets together are looked at every day.
@thorough
def test_readers_measure_beside_the_record(open_figure: Open) -> None:
    figure = open_figure("speeds")
    own = figure.find(".length.own")
    figure.press("Measure here")
    expect(figure.find(".verdict")).to_contain_text("agree to 1e-9")
    expect(own).to_have_count(3)
    for engine in ("value", "dot", "lists", "numpy"):
        row = figure.find("tbody tr").filter(has=figure.tab.get_by_text(engine))
        time, times = row.locator("td").all_text_contents()[-2:]
        assert (
            (time, times) == ("–", "–")
            if engine == "numpy"
            else float(time.split()[0]) > 0
        )
    # Another setting has none of the reader's own; back again, they are there.
    figure.press("width")
    expect(own).to_have_count(0)
    figure.press("as in the table")
    expect(own).to_have_count(3)
