"""What a reader's own browser measures stands beside the record of the engines."""

from tests.site import see
from tests.site.figure import Open
from tests.thorough import thorough

# All widgets together are looked at every day.
pytestmark = thorough


def test_readers_measure_beside_the_record(open_figure: Open) -> None:
    figure = open_figure("speeds")
    figure.press("Measure here")
    figure.shows(
        {".verdict": see.containing("agree to 1e-9"), see.count(".length.own"): 3}
    )
    rows = figure.find("tbody tr").all()
    own = {
        row.locator("th").inner_text(): row.locator("td").all_text_contents()[-2:]
        for row in rows
    }
    for engine in ("value", "dot", "lists"):
        time, unit = own[engine][0].split()
        assert float(time) > 0 and unit in ("ms", "s")
    assert own["numpy"] == ["–", "–"]
    # Another setting has none of the reader's own; back again, they are there.
    figure.press("width")
    figure.shows({see.count(".length.own"): 0})
    figure.press("as in the table")
    figure.shows({see.count(".length.own"): 3})
