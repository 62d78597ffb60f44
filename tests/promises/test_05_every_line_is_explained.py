"""Every line of the package is explained, or waived with a reason."""

from tests.promises.site import Site
from weave.check import examine_project
from weave.guide import Guide
from weave.kinds.listing import Listing


def test_the_project_holds_no_orphans(guide: Guide) -> None:
    assert list(map(str, examine_project(guide))) == []


def test_the_table_counts_the_lines_of_each_file(site: Site, guide: Guide) -> None:
    page = next(p for p in site.pages if p.source.path.name == "modules.md")
    rows = {}
    for row in page.article.select("table")[0].select("tbody tr"):
        name, lines, note = (cell.get_text() for cell in row.select("td"))
        rows[name] = (int(lines), note)
    spans = [listing.span(guide) for listing in Listing.all(guide)]
    shown = {(s.path, n) for s in spans for n in range(s.first, s.last + 1)}
    wanted = {}
    for source in guide.sources:
        numbers = [n for n, text in enumerate(guide.lines(source), 1) if text.strip()]
        waived = guide.options["waived"].get(source.as_posix())
        assert waived or all((source, n) in shown for n in numbers)
        wanted[source.as_posix()] = (len(numbers), waived or "complete")
    assert rows == wanted
