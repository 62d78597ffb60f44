"""Exercises in a browser: each attempt gets its hint, and the solution is accepted."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.marks import mark_all_but_first, nightly
from tests.processes import ROOT
from tests.site.accessibility import assert_no_axe_violations
from tests.site.browsing import PAGES, PHONE_SIZE, open_reduced_motion_tab, site_path
from weave.fences.exercise import Exercise, SolutionAndAttempts
from weave.guide import Guide

GUIDE = Guide(ROOT)
ExerciseOnPage = tuple[Path, str, SolutionAndAttempts]  # page, name and programs
EXERCISES: list[ExerciseOnPage] = [
    (page, exercise.name, exercise.resolve(GUIDE))
    for page in PAGES
    for exercise in Exercise.find_on_page(GUIDE.read_page(Path("docs", page)))
]
# Checks all mistakes at once with the function that the page calls for a program
CHECK_MISTAKES_PYTHON = """
import json
from runtime import runner

for program in json.loads({programs!r}):
    outcome = runner.run_blocks([program], id, lambda *_: None, {name!r})
    print(json.dumps([outcome["error"], outcome["hint"]]))
"""


def type_and_run_program(cell: Locator, program: str) -> None:
    """Replace the program in the editor and run it, by keyboard."""
    if not cell.locator(".cm-content").count():
        cell.locator(".edit").press("Enter")
    editor = cell.locator(".cm-content")
    editor.press("Control+a")
    cell.page.keyboard.insert_text(program)
    editor.press("Shift+Enter")


@pytest.mark.parametrize(
    "exercise",
    mark_all_but_first(
        sorted(EXERCISES, key=lambda each: len(each[2].attempts[1:])),
        mark=nightly,  # with every change, `weave check` runs all attempts in CPython
    ),
    ids=lambda each: f"{each[0]}-{each[1]}",
)
def test_exercise_gives_hints_and_accepts_its_solution(
    exercise: ExerciseOnPage, context: BrowserContext, address: str
) -> None:
    page, name, programs = exercise
    tab = open_reduced_motion_tab(context, PHONE_SIZE)
    tab.goto(address + site_path(page))
    cell = tab.locator(f"#exercise-{name}")
    hint, state = cell.locator(".hint"), cell.locator(".status")
    cell.locator(".run").click()
    expect(state).to_have_text("not yet")
    expect(hint).to_have_text(programs.attempts[0].hint)
    tab.locator(".solution summary").first.click()
    assert_no_axe_violations(tab)
    wrong = json.dumps([mistake.program for mistake in programs.attempts[1:]])
    type_and_run_program(cell, CHECK_MISTAKES_PYTHON.format(programs=wrong, name=name))
    expect(hint).to_contain_text("Keep the name")
    answers = map(json.loads, cell.locator(".output").inner_text().splitlines())
    assert [*answers] == [["", mistake.hint] for mistake in programs.attempts[1:]]
    type_and_run_program(cell, programs.solution)
    expect(state).to_contain_text("solved")
    expect(hint).to_be_empty()
    cell.locator(".reset").click()
    expect(state).to_have_text("reset to the original")
