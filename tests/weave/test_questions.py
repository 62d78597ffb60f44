"""Each question is listed."""

from pathlib import Path

from bs4 import Tag

from tests.promises.site import Site

INDEX = Path("docs/reference/questions.md")


def words(element: Tag) -> str:
    return element.get_text().removesuffix("#")


def test_every_question_is_listed_in_the_order_of_its_page(site: Site) -> None:
    pages = {page.source.path: page.article for page in site.pages}
    links = pages[INDEX].select("li > a[href*='/#']:not([href^='..'])")
    listed = [(str(link["href"]), words(link)) for link in links]
    assert sorted(listed, key=lambda entry: entry[0].partition("#")[0]) == [
        (f"{path.stem}/#{question['id']}", words(question))
        for path, article in sorted(pages.items())
        for question in article.select("h3[id]")
        if path.parent == INDEX.with_suffix("")
    ]
