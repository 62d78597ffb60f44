"""Every line of the package is explained, or waived with a reason."""

from weave.check import examine_project
from weave.guide import Guide
from weave.kinds.listing import Listing


def test_the_project_holds_no_orphans(guide: Guide) -> None:
    assert list(map(str, examine_project(guide))) == []


def test_each_line_stands_in_a_listing_or_its_file_is_waived(guide: Guide) -> None:
    spans = [listing.span(guide) for listing in Listing.all(guide)]
    shown = {(s.path, n) for s in spans for n in range(s.first, s.last + 1)}
    for source in guide.sources:
        numbers = [n for n, text in enumerate(guide.lines(source), 1) if text.strip()]
        waived = guide.options["waived"].get(source.as_posix())
        assert waived or all((source, n) in shown for n in numbers)
