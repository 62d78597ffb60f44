"""Every number in prose is computed, and the built site shows it."""

from __future__ import annotations

from collections.abc import Callable

from tests.promises.site import Site
from weave.guide import Guide
from weave.numbers import bare_numbers, is_hard_coded, write_like
from weave.page import Page
from weave.run import Results


def test_no_number_in_prose_is_bare(guide: Guide) -> None:
    found = [
        f"{page.path}:{line}: {text}"
        for page in guide.pages.values()
        for line, text in bare_numbers(page)
    ]
    assert not found


def test_no_expression_of_a_number_is_a_constant(guide: Guide) -> None:
    numbers = [number for page in guide.pages.values() for number in page.numbers]
    assert numbers
    assert not [n.expression for n in numbers if is_hard_coded(n.expression)]


def test_numbers_of_the_built_site_are_what_their_expressions_give(
    site: Site, results_of: Callable[[Page], Results]
) -> None:
    for page in site.pages:
        answers = results_of(page.source).answers if page.source.numbers else {}
        by_expression = {
            expression: value for (_, expression), value in answers.items()
        }
        shown = page.article.select("data")
        assert len(shown) == len(page.source.numbers), page.source.path
        for element in shown:
            text = element.get_text()
            value = by_expression[str(element["value"])]
            assert write_like(text, value) == text, page.source.path
