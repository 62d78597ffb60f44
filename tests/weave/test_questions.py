"""The list of questions."""

from pathlib import Path

from bs4 import Tag

from tests.built_site import Site


def text_without_permalink(element: Tag) -> str:
    return element.get_text().removesuffix("#")


def test_every_question_is_listed_in_the_order_of_its_page(site: Site) -> None:
    pages = {page.source.path: page.article for page in site.pages}
    index_path = Path("docs/reference/questions.md")
    links = pages[index_path].select("li > a[href*='/#']:not([href^='..'])")
    entries = [(str(link["href"]), text_without_permalink(link)) for link in links]
    assert sorted(entries, key=lambda entry: entry[0].partition("#")[0]) == [
        (f"{path.stem}/#{question['id']}", text_without_permalink(question))
        for path, article in sorted(pages.items())
        for question in article.select("h3[id]")
        if path.parent == index_path.with_suffix("")
    ]
