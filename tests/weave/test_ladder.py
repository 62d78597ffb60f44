"""The ladder says of each step what its recorded run ends with, and no step is left out."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.weave.conftest import ROOT, stashed
from weave.errors import WeaveError
from weave.guide import Guide, link
from weave.kinds.ladder import Ladder
from widgets.trainer.model import recorded

HOME = Path("docs/index.md")
RUNS = ("counts-end", "network-end", "", "one-end", "four-end", "", "", "")


def test_each_step_has_a_rung_with_the_names_and_the_loss_of_its_run(
    guide: Guide,
) -> None:
    html = BeautifulSoup(stashed(guide, HOME), "lxml")
    rungs = html.select(".ladder > li")
    steps = [
        (step, link(HOME, first, finished=True)) for step, first in guide.steps.items()
    ]
    ways = [rung.select("a")[0] for rung in rungs]
    assert [(way.get_text(), way["href"]) for way in ways] == steps
    (ladder,) = Ladder.on(guide.read(HOME))
    for rung, run, line in zip(rungs, RUNS, ladder.fence.body, strict=True):
        said = [part.get_text() for part in rung.select(".samples, .loss, .same")]
        if not run:
            assert said == [line.partition(" | ")[2]]
            continue
        end = recorded(run)["moments"][-1]
        names = "\N{NO-BREAK SPACE}· ".join(end["names"])
        assert said == [names, f"loss {end['heldOut']:.2f}"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("run one-end", "run one-and", "the runs are"),
        (" | run one-end", "", "a rung is"),
        ("run one-end", "run one-end\nx | run one-end", "a line for each of the 8"),
    ],
)
def test_a_ladder_without_a_step_is_refused(old: str, new: str, complaint: str) -> None:
    text = (ROOT / HOME).read_text(encoding="utf-8")
    guide = Guide(ROOT, told={HOME: text.replace(old, new)})
    (ladder,) = Ladder.all(guide)
    with pytest.raises(WeaveError, match=complaint):
        ladder.content(guide)
