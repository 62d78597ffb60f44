"""Every derivative that the guide states is checked, and the check can tell."""

import pytest

from tests.promises.site import Site
from weave.guide import Guide
from weave.kinds import derivative as derivatives
from weave.kinds.derivative import Derivative, Untrue


def stated(guide: Guide) -> list[Derivative]:
    return [
        derivative
        for page in guide.pages.values()
        for fence in page.fences
        if fence.language == "derivative"
        for derivative in derivatives.read(fence.body, fence.line + 1)
    ]


def test_stated_derivatives_agree_with_backward_and_finite_differences(
    guide: Guide,
) -> None:
    found = stated(guide)
    assert found
    for derivative in found:
        derivatives.check(derivative)


def test_the_site_typesets_the_derivatives_that_were_checked(
    site: Site, guide: Guide
) -> None:
    """Compared by their letters and digits, whatever stands above or below what."""

    def characters(text: str) -> list[str]:
        for word, sign in (("exp", "e"), ("sqrt", ""), (" if ", ""), (" else ", "")):
            text = text.replace(word, sign)
        return sorted(c for c in text.replace("otherwise", "") if c.isalnum())

    shown = [
        characters(row.get_text().replace("if ", ""))
        for page in site.pages
        for row in page.article.select("table.derivatives tr")
    ]
    said = [
        characters(f"{name} {derivative.expression} {partial}")
        for derivative in stated(guide)
        for name, partial in derivative.partials.items()
    ]
    assert shown == said != []


@pytest.mark.parametrize("change", ["2 * ({})", "-({})", "({}) + 1", "({}) * 1.001"])
def test_a_stated_derivative_that_is_slightly_off_is_refused(
    guide: Guide, change: str
) -> None:
    for derivative in stated(guide):
        for name, partial in derivative.partials.items():
            wrong = {**derivative.partials, name: change.format(partial)}
            with pytest.raises(Untrue):
                derivatives.check(Derivative(derivative.expression, wrong, 0))
