"""Glossary terms: parsing, and marking their first use on a page."""

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.page import parse_page
from weave.prose.glossary import GLOSSARY_PATH, Glossary, Term, check_explaining_pages

GLOSSARY_MARKDOWN = """\
# Terms

matrix, matrices
:   A table of *numbers*. [First](../two/first.md)

token
:   A number for a letter. [First](../two/first.md)

*value*, keys and values
:   What a token gives. [First](../two/first.md)
"""


def make_glossary(project: Project, text: str = GLOSSARY_MARKDOWN) -> Glossary:
    project.write("docs/two/first.md", "# One\n\nA matrix, a token, a value.\n")
    project.write(GLOSSARY_PATH.as_posix(), text)
    return Glossary(project.guide)


def find_marked_words(project: Project, html: str) -> list[str]:
    """Return the words that the glossary marks in HTML."""
    words = "".join(fromstring(f"<div>{html}</div>").itertext())
    page = parse_page(Path("docs/two/second.md"), "# T\n")
    html = make_glossary(project).link_first_uses(html, page, lambda term: term.anchor)
    root = fromstring(f"<div>{html}</div>")
    assert "".join(root.itertext()) == words
    links = [link for link in root.iter("a") if link.get("class") == "term"]
    assert all(link.get("title", "").endswith(".") for link in links)
    return [link.text or "" for link in links]


def test_term_has_names_definition_and_explaining_page(project: Project) -> None:
    matrix, token, value = make_glossary(project).terms
    names, home = ("matrix", "matrices"), Path("docs/two/first.md")
    assert matrix == Term(names, names, "A table of numbers.", home, 3)
    assert value.names == ("value", "keys and values")
    assert value.linked_names == ("keys and values",)
    assert token.anchor == "token"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("token\n", "Token, matrix\n", "'matrix' is defined above already"),
        ("a letter. [", "a letter. Or two. [", "One sentence"),
        (" [First](../two/first.md)", "", "One sentence"),
        ("keys and values", "*keys and values*", r"all names of .\*value"),
    ],
)
def test_invalid_glossary_definition_is_refused(
    project: Project, old: str, new: str, message: str
) -> None:
    with pytest.raises(WeaveError, match=message):
        make_glossary(project, GLOSSARY_MARKDOWN.replace(old, new, 1))


def test_page_that_explains_a_term_must_use_it(project: Project) -> None:
    make_glossary(project)
    assert not list(check_explaining_pages(project.guide))
    project.write("docs/two/first.md", "# A token\n\nA matrix, a value.\n")
    (fault,) = check_explaining_pages(project.guide)
    assert fault.line == 6 and "the glossary says that" in str(fault)
    make_glossary(project, GLOSSARY_MARKDOWN.replace("first.md", "third.md", 1))
    (fault,) = check_explaining_pages(project.guide)
    assert fault.line == 3


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
def test_first_use_of_a_term_in_prose_is_marked(
    project: Project, html: str, words: list[str]
) -> None:
    assert find_marked_words(project, html) == words
