"""MkDocs and Zensical build the same pages from the same settings."""

from bs4 import Tag

from tests.built_site import Site
from tests.marks import thorough


def list_article_words(article: Tag) -> list[str]:
    """Return the words of an article, without what each theme adds around it."""
    for added in article.select(".md-content__button, .headerlink, .md-source-file"):
        added.decompose()
    return article.get_text(" ").split()


@thorough
def test_mkdocs_and_zensical_build_the_same_pages(
    site: Site, zensical_site: Site
) -> None:
    assert len(site.pages) == len(zensical_site.pages) > 1
    for mine, theirs in zip(site.pages, zensical_site.pages, strict=True):
        for kind in (".cell", ".output", ".listing", ".hll", "svg", "math", "data"):
            ours = [e.get_text() for e in mine.article.select(kind)]
            assert ours == [e.get_text() for e in theirs.article.select(kind)]
        words = list_article_words(mine.article)
        assert words == list_article_words(theirs.article), mine.source.path
