"""The words that the search has for each page come from pages that exist."""

import pytest

from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.publish.search_index import SEARCH_PHRASES_PATH, weight_entries

ENTRY = {"location": "two/first/", "title": "First", "text": "<p>A page.</p>"}


def test_page_has_listed_phrases_and_its_bold_terms(project: Project) -> None:
    project.page("# First\n\n**Speed** is *fast*. **How fast is *it*?** Very.\n")
    project.write(SEARCH_PHRASES_PATH.as_posix(), "two/first.md: [quick, rapid]\n")
    (entry,) = weight_entries([ENTRY], project.guide)
    phrases = "Step 2; Two; quick; rapid; How fast is it?; Speed"
    assert entry["terms"].partition("; ")[2] == phrases


def test_phrases_for_a_page_that_does_not_exist_are_refused(project: Project) -> None:
    project.write(SEARCH_PHRASES_PATH.as_posix(), "two/third.md: [quick]\n")
    with pytest.raises(WeaveError, match="no page has the path docs/two/third"):
        list(weight_entries([ENTRY], project.guide))
