"""Each switch changes something that there is."""

import re

from tests.promises.site import ROOT
from widgets.what_if.changes import STATEMENTS
from widgets.what_if.model import switches, verdict, what_if


def test_a_change_names_only_what_the_engine_knows() -> None:
    text = (ROOT / "web/engine/what_if.ts").read_text(encoding="utf-8")
    interface = text.partition("export interface Change {")[2].partition("\n}")[0]
    known = {*re.findall(r"^  (\w+)\?:", interface, re.MULTILINE), "gpt.c"}
    for switch in switches():
        assert switch["change"].keys() <= known
        assert switch["change"].get("gpt.c") in (None, *STATEMENTS)


def test_each_change_of_gpt_c_is_a_switch_and_shows_its_lines() -> None:
    used = [switch["change"].get("gpt.c") for switch in switches()]
    assert {*STATEMENTS} == {*used} - {None}
    for switch in what_if()["switches"]:
        assert bool(switch["differs"]) == ("changed" in switch["change"])


def test_a_verdict_needs_an_interval_without_zero() -> None:
    assert verdict([], 0.01, 0.02) == verdict([], -0.01, 0.02) == "can't tell"
    assert verdict([], 0.02, 0.01) == "higher"
    assert verdict([], -0.02, 0.01) == "lower"
    assert verdict([], 2.0, 0.01) == "much higher"
    assert verdict([None], None, None) == "breaks down"
