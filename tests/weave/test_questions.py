"""The questions were asked in public; each is listed, and its answer is short."""

import re
import textwrap

from tests.promises.site import ROOT
from weave.text import plain

PAGES = sorted((ROOT / "docs/reference/questions").glob("*.md"))
QUESTION = re.compile(r"^### (.+)\n((?s:.*?))(?=^##|\Z)", re.MULTILINE)
THREAD = re.compile(r"^Asked (?:in|on) \[.+\]\((https://[\w.]+/\S+)\)\.$", re.MULTILINE)
FENCE = re.compile(r"^<!--.*-->$|^```(?s:.*?)^```$", re.MULTILINE)
ASKED = [
    (page.name, *question)
    for page in PAGES
    for question in QUESTION.findall(page.read_text(encoding="utf-8"))
]


def test_a_hundred_questions_have_a_thread_each() -> None:
    threads = [THREAD.search(answer) for _, _, answer in ASKED]
    assert len({thread[1] for thread in threads if thread}) >= 100


def test_an_answer_has_at_most_eight_lines() -> None:
    for _, question, answer in ASKED:
        prose = plain(THREAD.sub("", FENCE.sub("", answer)))
        assert 1 <= len(textwrap.wrap(prose, 80)) <= 8, question


def test_an_answer_is_shown_by_code_an_experiment_or_a_link() -> None:
    for _, question, answer in ASKED:
        assert re.search(r"^```|<data |\]\((?:\.\./|#)", answer, re.MULTILINE), question


def test_every_question_is_listed_in_the_order_of_its_page() -> None:
    index = (ROOT / "docs/reference/questions.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.+)\]\(questions/(.+)#", index, re.MULTILINE)
    assert sorted(listed, key=lambda entry: entry[1]) == [
        (question, name) for name, question, _ in ASKED
    ]
