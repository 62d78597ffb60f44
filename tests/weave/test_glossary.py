"""Terms: read strictly, marked once, and shown as the glossary says."""

from pathlib import Path
from urllib.parse import urlsplit
from xml.etree.ElementTree import fromstring

import pytest

from tests.promises.site import Site
from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.guide import Guide
from weave.page import read_page
from weave.prose.glossary import GLOSSARY, Glossary, Term, examine

HERE = Path("docs/two/second.md")
TERMS = """\
# Terms

matrix, matrices
:   A table of *numbers*. [First](../two/first.md)

token
:   A number for a letter. [First](../two/first.md)

*value*, keys and values
:   What a token gives. [First](../two/first.md)
"""


def glossary(project: Project, text: str = TERMS) -> Glossary:
    project.write("docs/two/first.md", "# One\n\nA matrix, a token, a value.\n")
    project.write(GLOSSARY.as_posix(), text)
    return Glossary(project.guide)


def marked(project: Project, html: str) -> list[str]:
    """Return the words that are marked on a page."""
    root = fromstring(f"<div>{html}</div>")
    words = "".join(root.itertext())
    glossary(project).mark(root, read_page(HERE, "# T\n"), lambda term: term.anchor)
    assert "".join(root.itertext()) == words
    return [link.text or "" for link in root.iter("a") if link.get("class") == "term"]


def test_a_term_has_names_a_meaning_and_a_home(project: Project) -> None:
    matrix, token, value = glossary(project).terms
    names, home = ("matrix", "matrices"), Path("docs/two/first.md")
    assert matrix == Term(names, names, "A table of numbers.", home, 3)
    assert value.names == ("value", "keys and values")
    assert value.marked == ("keys and values",)
    assert token.anchor == "token"


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("token\n", "Token, matrix\n", "'matrix' is defined above already"),
        ("a letter. [", "a letter. Or two. [", "One sentence"),
        (" [First](../two/first.md)", "", "One sentence"),
        ("keys and values", "*keys and values*", "a name that pages can mark"),
    ],
)
def test_a_definition_that_says_too_much_or_too_little_is_refused(
    project: Project, old: str, new: str, because: str
) -> None:
    with pytest.raises(WeaveError, match=because):
        glossary(project, TERMS.replace(old, new, 1))


def test_the_home_of_a_term_is_a_page_that_uses_it(project: Project) -> None:
    glossary(project)
    assert not list(examine(project.guide))
    project.write("docs/two/first.md", "# A token\n\nA matrix, a value.\n")
    assert [fault.line for fault in examine(project.guide)] == [6]
    glossary(project, TERMS.replace("first.md", "third.md", 1))
    assert [fault.line for fault in examine(project.guide)] == [3]


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>Tokens, a token, Matrices</p>", ["Tokens", "Matrices"]),
        ("<p><em>keys\nand</em> keys\nand values</p>", ["keys\nand values"]),
        ("<p>a value, tokenizer, sub-token</p>", []),
        ("<h2>A token</h2><p><code>token</code> <b>tokens</b></p>", ["tokens"]),
        ("<p class='admonition-title'>token</p><ul><li>token</li></ul>", ["token"]),
    ],
)
def test_the_first_use_in_prose_is_marked(
    project: Project, html: str, words: list[str]
) -> None:
    assert marked(project, html) == words


def test_the_site_shows_what_the_glossary_says(site: Site, guide: Guide) -> None:
    pages = {page.source.path: page for page in site.pages}
    there = pages[GLOSSARY].article
    terms = {term.anchor: term for term in Glossary(guide).terms}
    assert len(terms) > 60
    assert [name["id"] for name in there.select("dt")] == list(terms)
    for definition, term in zip(there.select("dd"), terms.values(), strict=True):
        assert definition.get_text().strip().startswith(term.meaning)
    marked = 0
    for path, page in pages.items():
        used = []
        for link in page.article.select("a.term"):
            where = urlsplit(str(link["href"]))
            target = (page.file.parent / where.path / "index.html").resolve()
            assert target == pages[GLOSSARY].file.resolve()
            assert link["title"] == terms[where.fragment].meaning
            assert terms[where.fragment].home != path
            assert not link.find_parent(["h1", "h2", "h3", "code", "summary"])
            used.append(where.fragment)
        assert len(used) == len(set(used)), path
        marked += len(used)
    assert marked > 500
