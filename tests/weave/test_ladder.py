"""The ladder says of each step what is recorded and counted, and nothing is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import fmean

import pytest
from bs4 import BeautifulSoup

from tests.weave.conftest import ROOT
from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.ladder import ladder, read_ladder
from weave.page import Fence, Page, read_page

HOME = Path("docs/index.md")


def fence_of(page: Page) -> Fence:
    return next(fence for fence in page.fences if fence.language == "ladder")


def losses(program: str) -> list[float]:
    file = ROOT / "docs" / "data" / f"{program}.json"
    found: list[float] = json.loads(file.read_text()) if file.exists() else []
    return found


def test_each_step_has_a_rung_with_its_lines_and_its_losses(guide: Guide) -> None:
    page = guide.pages[HOME]
    html = BeautifulSoup(ladder(guide, page, fence_of(page), str), "lxml")
    rungs = html.select("li")
    steps = {s.step for s in guide.sections.values() if s.step.startswith("Step")}
    assert [r.select("a")[0].get_text() for r in rungs] == sorted(steps)
    held_out = json.loads((ROOT / "docs/data/held-out.json").read_text())
    # Step 2 gives the losses of Step 1, and the last two have the model of Step 5.
    models = ["step0", "step1", "step1", "step3", "step4", "step5", "step5", "step5"]
    for number, (rung, model) in enumerate(zip(rungs, models, strict=True)):
        link = rung.select("a")[0]
        first = Path(str(link["href"]))
        section = guide.sections[first.relative_to("docs").as_posix()]
        assert (section.number, section.step) == (1, link.get_text())
        code = ROOT / "snippets" / f"step{number}.py"
        files = (
            [code] if code.exists() else list((ROOT / "microgpt/engines").glob("*.py"))
        )
        lines = sum(len(file.read_text().splitlines()) for file in files)
        said = [fact.get_text() for fact in rung.select("dd")]
        assert said == [f"{lines:,}", f"{held_out[model]:.2f}"]
        curve = rung.select_one("svg")
        run = losses(f"step{number}")
        assert bool(curve) == bool(run)
        if curve:
            first_point, last_point = fmean(run[:20]), fmean(run[-100:])
            words = f"Its loss falls from {first_point:.2f} to {last_point:.2f}."
            assert curve["aria-label"] == words
    assert losses("step2") == losses("step1")


def test_all_curves_have_one_scale(guide: Guide) -> None:
    page = guide.pages[HOME]
    html = BeautifulSoup(ladder(guide, page, fence_of(page), str), "lxml")
    rungs = {n: rung for n, rung in enumerate(html.select("li")) if rung.svg}
    heights = {}
    for number, rung in rungs.items():
        path = str(rung.select(".own")[0]["d"])
        heights[number] = [float(y) for y in re.findall(r" ([\d.]+)", path)]
    lowest = max(y for each in heights.values() for y in each)
    highest = min(y for each in heights.values() for y in each)
    ends = {number: fmean(losses(f"step{number}")[-100:]) for number in rungs}
    ranked = sorted(rungs, key=lambda number: ends[number])
    assert sorted(rungs, key=lambda number: -heights[number][-1]) == ranked
    assert (highest, lowest) == (2, 54)
    for number in list(rungs)[1:]:
        below = rungs[number].select(".below")[0]["d"]
        assert below == rungs[number - 1].select(".own")[0]["d"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("snippets/step4.py: ", "snippets/step9.py: ", "a rung is"),
        ("snippets/step4.py: ", "snippets/step3.py: ", "no rung has snippets/step4"),
        ("snippets/step4.py: ", "snippets/step4.py\nx: ", "a line for each of the 8"),
    ],
)
def test_a_ladder_without_a_step_is_refused(
    guide: Guide, old: str, new: str, complaint: str
) -> None:
    text = (ROOT / HOME).read_text(encoding="utf-8")
    page = read_page(HOME, text.replace(old, new))
    with pytest.raises(WeaveError, match=complaint):
        read_ladder(guide, page, fence_of(page))
