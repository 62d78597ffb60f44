"""Links lead to the page or step that their text names."""

import pytest

from tests.weave.conftest import Project
from weave.prose import links

MKDOCS_YML = """\
site_name: Test
nav:
  - Home: index.md
  - Step 1 · One:
      - Sums: one/sums.md
  - Step 2 · Two:
      - Products: two/products.md
      - Powers: two/powers.md
  - reference/glossary.md
"""
PAGES = {
    "one/sums.md": "# A sum has terms\n\n`add` them.\n",
    "two/products.md": "# A product has factors\n",
    "two/powers.md": "# A power has an exponent\n",
}


def find_link_errors(
    project: Project, text: str, path: str = "docs/two/products.md"
) -> list[str]:
    project.write("mkdocs.yml", MKDOCS_YML)
    for name, content in PAGES.items():
        project.write(f"docs/{name}", content)
    page = project.page(f"# A product has factors\n\n{text}\n", path)
    findings = links.check_links(project.guide, page)
    return [str(finding) for finding in findings]


@pytest.mark.parametrize(
    "text",
    [
        "[Sums](../one/sums.md), [a sum has terms](../one/sums.md#add), [One](../one/sums.md)",
        "[Step 1](../one/sums.md), as [in Step 2](powers.md), Steps 1 and 2",
        "Whatever [it says](../one/sums.md)",
    ],
)
def test_link_text_naming_its_target_is_accepted(project: Project, text: str) -> None:
    assert find_link_errors(project, text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Sums](powers.md)", "leads to docs/two/powers.md, not to docs/one/sums.md"),
        ("[A sum has terms](powers.md)", "not to docs/one/sums.md"),
        ("[found in Step 1](powers.md)", "not to Step 1"),
        ("as Step 3 does", "there is no Step 3"),
        ("Steps 2 and 7", "there is no Step 7"),
    ],
)
def test_link_text_that_names_another_page_is_reported(
    project: Project, text: str, message: str
) -> None:
    (error,) = find_link_errors(project, text)
    assert message in error


@pytest.mark.parametrize("target", ["../one/gone.md#a-sum", "../../../gone.md#a-sum"])
def test_link_to_a_missing_page_is_reported_once(project: Project, target: str) -> None:
    text = f"It adds. [A sum]({target})\n\nas Step 3 does"
    missing, step = find_link_errors(project, text, "docs/reference/glossary.md")
    assert f"leads to {target.partition('#')[0]}, but there is no file" in missing
    assert step.endswith("there is no Step 3: expected one of Steps 1 to 2")
