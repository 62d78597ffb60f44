"""Each question is listed."""

import re

from tests.promises.site import ROOT

PAGES = sorted((ROOT / "docs/reference/questions").glob("*.md"))
QUESTION = re.compile(r"^### (.+)\n((?s:.*?))(?=^##|\Z)", re.MULTILINE)
ASKED = [
    (page.name, *question)
    for page in PAGES
    for question in QUESTION.findall(page.read_text(encoding="utf-8"))
]


def test_every_question_is_listed_in_the_order_of_its_page() -> None:
    index = (ROOT / "docs/reference/questions.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.+)\]\(questions/(.+)#", index, re.MULTILINE)
    assert sorted(listed, key=lambda entry: entry[1]) == [
        (question, name) for name, question, _ in ASKED
    ]
