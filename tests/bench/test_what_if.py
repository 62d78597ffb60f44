"""What the page What if says of its switches is recorded, and found again."""

import re
from statistics import mean
from typing import Any

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.ends import difference
from bench.what_if import SEEDS, trained
from tests.engine.asked import trained as trained_by_the_trainer
from tests.promises.site import ROOT
from tests.thorough import nightly, one_of_each
from widgets.what_if.model import MUCH, described, recorded, switches, what_if

PLAIN: list[float] = recorded()["plain"]
RECORD: dict[str, Any] = recorded()["switches"]
LEADS = {
    "lower": "Lower by",
    "higher": "Higher by",
    "much higher": "Much higher, by",
    "can't tell": "Can't tell them apart:",
    "breaks down": "Breaks down:",
}


def sections() -> dict[str, list[str]]:
    """The paragraphs of the page under each question."""
    page = (ROOT / "docs/reference/what-if.md").read_text(encoding="utf-8")
    parts = re.split(r"^##+ ", page, flags=re.MULTILINE)[1:]
    found = {part.partition("\n")[0]: part.split("\n\n")[1:] for part in parts}
    return {name: text for name, text in found.items() if name.startswith("What if")}


def test_each_switch_is_recorded_with_ten_seeds() -> None:
    assert list(RECORD) == [switch["id"] for switch in switches()]
    assert len(PLAIN) == len(SEEDS) >= 10
    assert all(len(found["losses"]) == len(PLAIN) for found in RECORD.values())


def test_what_is_recorded_follows_from_the_recorded_losses() -> None:
    for found in RECORD.values():
        more, error = found["more"], found["error"]
        if None in found["losses"]:
            assert more is error is None
        else:
            expected = difference(found["losses"], PLAIN)
            assert [more, error] == pytest.approx(expected, abs=6e-6)
            assert abs(more - MUCH) > error, "this verdict hangs on what is much"
    assert what_if()["plain"] == PLAIN and mean(PLAIN) < 2.4


@pytest.mark.parametrize("switch", switches(), ids=lambda switch: switch["id"])
def test_the_page_says_of_each_question_what_is_recorded(
    switch: dict[str, Any],
) -> None:
    answer, reason = sections()[switch["question"]][:2]
    assert answer.startswith(LEADS[described(switch)["verdict"]])
    assert f"['{switch['id']}']" in answer
    assert re.search(r"\]\(\.\./[\w/-]+\.(?:md|ipynb)", reason), "no page teaches it"
    assert 2 <= len(re.findall(r"[.?](?: |$)", reason.rpartition("[")[0])) <= 3


def test_the_page_has_the_questions_in_their_order() -> None:
    assert list(sections()) == [switch["question"] for switch in switches()]


# A few each time, all of them each night
AGAIN = ("again", "zeros", "few", "no-mlp", "post-norm", "tied", "sgd", "bits-7")


ALL = [pytest.param(name, marks=nightly) for name in RECORD]


@pytest.mark.parametrize("name", [*one_of_each(AGAIN), *ALL])
def test_what_trains_in_the_page_gives_what_is_recorded(name: str) -> None:
    change = next(each["change"] for each in switches() if each["id"] == name)
    seed = 1 + AGAIN.index(name) if name in AGAIN else len(SEEDS)
    expected = RECORD[name]["losses"][seed - 1]
    assert trained(change, [seed]) == pytest.approx([expected], abs=1e-4)


def test_without_a_switch_it_is_the_model_of_the_trainer() -> None:
    found = trained_by_the_trainer(seen=30_000, batch=32, seed=1)
    loss = found["moments"][-1]["heldOut"]
    assert loss == pytest.approx(PLAIN[0], abs=1e-5)
