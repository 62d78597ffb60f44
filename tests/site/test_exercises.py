"""Exercises in a reader's hands: each program gets the hint, or the praise, that it should."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.promises.site import ROOT
from tests.site.accessibility import assert_no_fault
from tests.site.browsing import LONG, PAGES, PHONE, Sized, path_of
from tests.thorough import one_of_each
from weave.exercises import FOLDER
from weave.guide import Guide

GUIDE = Guide(ROOT)
EXERCISES = [
    (page, fence.body[0])
    for page in PAGES
    for fence in GUIDE.read(Path("docs", page)).fences
    if fence.language == "exercise"
]


def mistakes(exercise: tuple[Path, str]) -> int:
    return len([*(ROOT / FOLDER / exercise[1] / "mistakes").iterdir()])


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def submit(cell: Locator, program: str) -> None:
    """Put a program into the editor, and have it checked with the keys alone."""
    if not cell.locator(".cm-content").count():
        cell.locator(".edit").press("Enter")
    editor = cell.locator(".cm-content")
    editor.press("Control+a")
    cell.page.keyboard.insert_text(program)
    editor.press("Shift+Enter")


@pytest.mark.parametrize(
    "exercise",
    one_of_each(sorted(EXERCISES, key=mistakes)),
    ids=lambda each: f"{each[0]}-{each[1]}",
)
def test_the_page_tells_start_mistakes_and_solution_apart(
    exercise: tuple[Path, str], tab: Page, address: str
) -> None:
    page, name = exercise
    folder = ROOT / FOLDER / name
    tab.goto(address + path_of(page))
    cell = tab.locator(f"#exercise-{name}")
    hint, state = cell.locator(".hint"), cell.locator(".state")
    cell.locator(".run").click()
    expect(state).to_have_text("not yet", timeout=LONG)
    expect(hint).not_to_be_empty()
    for mistake in sorted((folder / "mistakes").glob("*.py")):
        said = ast.get_docstring(ast.parse(text_of(mistake))) or ""
        submit(cell, text_of(mistake))
        expect(hint).to_have_text(" ".join(said.split()), timeout=LONG)
        expect(state).to_have_text("not yet")
    submit(cell, text_of(folder / "solution.py"))
    expect(state).to_contain_text("solved", timeout=LONG)
    expect(hint).to_be_empty()
    cell.locator(".reset").click()
    expect(state).to_have_text("as it was")


def test_an_exercise_has_no_fault_while_it_advises(
    context: BrowserContext, address: str
) -> None:
    page, name = EXERCISES[0]
    tab = Sized(context, PHONE).new_page()
    tab.goto(address + path_of(page))
    cell = tab.locator(f"#exercise-{name}")
    cell.locator(".run").click()
    expect(cell.locator(".hint")).not_to_be_empty(timeout=LONG)
    tab.locator(".solution summary").first.click()
    assert_no_fault(tab)
