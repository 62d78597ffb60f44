"""The map of the package and what is known of homes are the same, both ways round."""

import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from tests.weave.conftest import Project, stashed
from weave.guide import Guide, link
from weave.kinds.listing import homes
from weave.kinds.minimap import Minimap
from weave.publish.generated import write_generated


def drawn(guide: Guide) -> dict[Path, Tag]:
    """The picture of each file, by the page that its name leads to."""
    (here,) = Minimap.all(guide)
    html = BeautifulSoup(stashed(guide, here.page.path), "lxml")
    pages = {address(guide, guide.source_page(s)): s for s in guide.sources}
    return {
        pages[str(item.select("a.name")[0]["href"])]: item.select("svg")[0]
        for item in html.select(".minimap .files > li")
    }


def address(guide: Guide, target: Path, anchor: str = "") -> str:
    """How the page of the map leads to another."""
    (here,) = Minimap.all(guide)
    there = link(here.page.path, target, finished=True)
    return f"{there}#{anchor}" if anchor else there


def bars(path: Tag) -> list[tuple[int, int, int]]:
    """The line, the indentation and the length of each bar of a path."""
    found, x, y = [], 0.0, 0.0
    for dx, dy, length in re.findall(r"m(\S+) (\S+?)h(\d+)", str(path["d"])):
        x, y = x + float(dx), y + float(dy)
        found.append((round(y + 0.5), round(x), int(length)))
        x += int(length)
    return found


def test_every_line_is_drawn_where_it_stands_and_as_long_as_it_is(guide: Guide) -> None:
    pictures = drawn(guide)
    assert set(pictures) == set(guide.sources)
    for source, picture in pictures.items():
        lines = guide.lines(source)
        assert picture["viewbox"] == f"0 0 88 {len(lines)}"
        assert [bar for path in picture.select("path") for bar in bars(path)] == [
            (number, len(line) - len(line.lstrip()), len(line.strip()))
            for number, line in enumerate(lines, 1)
            if line.strip()
        ]


def test_every_line_leads_home_and_nothing_else_does(guide: Guide) -> None:
    mapped: dict[tuple[Path, int], str] = {}
    for source, picture in drawn(guide).items():
        for way in picture.select("a"):
            (bar,) = way.select("rect")
            first = int(str(bar["y"])) + 1
            numbers = range(first, first + int(str(bar["height"])))
            label = str(way["aria-label"])
            said = re.match(r"(\S+), lines? (\d+)(?:–(\d+))?: (.+)", label)
            assert said
            assert source.as_posix() == f"microgpt/{said[1]}"
            assert range(int(said[2]), int(said[3] or said[2]) + 1) == numbers
            for number in numbers:
                assert (source, number) not in mapped
                mapped[source, number] = str(way["href"])
            if home := homes(guide).get((source, first)):
                assert said[4] == guide.place(home.page.path)
                section = guide.section(home.page.path)
                step = re.match(r"Step (\d+)", section.step if section else "")
                assert way["class"] == [f"step-{step[1]}" if step else "no-step"]
    at_home = {
        place: address(guide, home.page.path, home.anchor)
        for place, home in homes(guide).items()
        if place[0] in guide.sources
    }
    assert {place: mapped.get(place) for place in at_home} == at_home
    # What has no home is waived, with the reason, and leads to where it stands.
    elsewhere = {place: to for place, to in mapped.items() if place not in at_home}
    assert {path.as_posix() for path, _ in elsewhere} == set(guide.options["waived"])
    for (source, _), to in elsewhere.items():
        assert re.fullmatch(rf"{address(guide, guide.source_page(source))}#L\d+", to)


def test_a_line_that_waits_for_a_page_is_drawn_as_one(project: Project) -> None:
    project.write("docs/index.md", "# Home\n\n```minimap\n```\n")
    write_generated(project.root)
    project.write("docs/b.md", "# B\n\n```source\nmicrogpt.nn:softmax\n```\n")
    ways = drawn(project.guide)[Path("microgpt/nn.py")].select("a")
    assert [way["class"] for way in ways] == [
        ["unexplained"],
        ["no-step"],
        ["unexplained"],
    ]
    assert "no page yet" in ways[0]["aria-label"]
