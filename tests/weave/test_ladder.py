"""The ladder says of each step what is recorded and counted, and nothing is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import fmean

import pytest
from bs4 import BeautifulSoup, Tag

from tests.weave.conftest import ROOT, stashed
from weave.errors import WeaveError
from weave.guide import Guide, link
from weave.kinds.ladder import Ladder

HOME = Path("docs/index.md")


@pytest.fixture(scope="module")
def rungs(guide: Guide) -> list[Tag]:
    html = BeautifulSoup(stashed(guide, HOME), "lxml")
    return list(html.select(".ladder > li"))


def losses(program: str) -> list[float]:
    file = ROOT / "docs" / "data" / f"{program}.json"
    found: list[float] = json.loads(file.read_text()) if file.exists() else []
    return found


def test_each_step_has_a_rung_with_its_lines_and_its_losses(
    guide: Guide, rungs: list[Tag]
) -> None:
    steps = [
        (step, link(HOME, first, finished=True)) for step, first in guide.steps.items()
    ]
    ways = [rung.select("a")[0] for rung in rungs]
    assert [(way.get_text(), way["href"]) for way in ways] == steps
    held_out = json.loads((ROOT / "docs/data/held-out.json").read_text())
    rungs_to_the_end = json.loads((ROOT / "docs/data/ends.json").read_text())["guide"]
    ends = {
        "step0": "pairs",
        "step1": "network",
        "step3": "one head",
        "step4": "four heads, SGD",
        "step5": "four heads",
    }
    # Step 2 gives the losses of Step 1, and the last two have the model of Step 5.
    models = ["step0", "step1", "step1", "step3", "step4", "step5", "step5", "step5"]
    for number, (rung, model) in enumerate(zip(rungs, models, strict=True)):
        code = ROOT / "snippets" / f"step{number}.py"
        files = (
            [code]
            if code.exists()
            else list((ROOT / "microgpt/engines").glob("*.[cp]*"))
        )
        lines = sum(len(file.read_text().splitlines()) for file in files)
        said = [fact.get_text() for fact in rung.select("dd")]
        end = rungs_to_the_end["rungs"][ends[model]]["100000"]["mean"]
        assert said == [f"{lines:,}", f"{held_out[model]:.2f}", f"{end:.2f}"]
        curve = rung.select_one("svg")
        run = losses(f"step{number}")
        assert bool(curve) == bool(run)
        if curve:
            first_point, last_point = fmean(run[:20]), fmean(run[-100:])
            words = f"Its loss falls from {first_point:.2f} to {last_point:.2f}."
            assert curve["aria-label"] == words
    assert losses("step2") == losses("step1")


def test_all_curves_have_one_scale(rungs: list[Tag]) -> None:
    curved = {n: rung for n, rung in enumerate(rungs) if rung.svg}
    heights = {}
    for number, rung in curved.items():
        path = str(rung.select(".own")[0]["d"])
        heights[number] = [float(y) for y in re.findall(r" ([\d.]+)", path)]
    lowest = max(y for each in heights.values() for y in each)
    highest = min(y for each in heights.values() for y in each)
    ends = {number: fmean(losses(f"step{number}")[-100:]) for number in curved}
    ranked = sorted(curved, key=lambda number: ends[number])
    assert sorted(curved, key=lambda number: -heights[number][-1]) == ranked
    assert (highest, lowest) == (2, 54)
    for number in list(curved)[1:]:
        below = curved[number].select(".below")[0]["d"]
        assert below == curved[number - 1].select(".own")[0]["d"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("snippets/step4.py: ", "snippets/step9.py: ", "a rung is"),
        ("snippets/step4.py: ", "snippets/step3.py: ", "no rung has snippets/step4"),
        ("snippets/step4.py: ", "snippets/step4.py\nx: ", "a line for each of the 8"),
    ],
)
def test_a_ladder_without_a_step_is_refused(old: str, new: str, complaint: str) -> None:
    text = (ROOT / HOME).read_text(encoding="utf-8")
    guide = Guide(ROOT, told={HOME: text.replace(old, new)})
    (ladder,) = Ladder.all(guide)
    with pytest.raises(WeaveError, match=complaint):
        ladder.rungs(guide)
