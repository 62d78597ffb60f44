"""A run of every day leaves out what takes long; CI, and who asks for it, does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thorough import one_of_each, thorough

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
TESTS = """\
import pytest
from tests.thorough import one_of_each, thorough

@thorough
def test_long():
    pass

@pytest.mark.parametrize("case", one_of_each(["a1", "a2", "b1"], kind=lambda c: c[0]))
def test_of_a_kind(case):
    pass
"""
ALL = {"passed": 4}


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    for name in ("CI", "MICROGPT_THOROUGH", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(CONFTEST.parent))
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makepyfile(test_some=TESTS)
    pytester.makeini("[pytest]\nmarkers = thorough: takes long\n")
    return pytester


@pytest.mark.parametrize("arguments", one_of_each([[], ["-n2"]]))
def test_a_run_of_every_day_has_the_first_of_each_kind(
    project: pytest.Pytester, arguments: list[str]
) -> None:
    done = project.runpytest_subprocess(*arguments)
    done.assert_outcomes(passed=2, skipped=2)


@thorough
@pytest.mark.parametrize("name", ["CI", "MICROGPT_THOROUGH"])
@pytest.mark.parametrize("arguments", [[], ["-n2"]])
def test_ci_and_who_asks_for_all_get_all(
    project: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    arguments: list[str],
) -> None:
    monkeypatch.setenv(name, "true")
    project.runpytest_subprocess(*arguments).assert_outcomes(**ALL)


@thorough
def test_what_was_chosen_is_run(project: pytest.Pytester) -> None:
    project.runpytest_subprocess("test_some.py").assert_outcomes(**ALL)
    done = project.runpytest_subprocess("-k", "long")
    done.assert_outcomes(passed=1, deselected=3)
    done = project.runpytest_subprocess("-m", "thorough")
    done.assert_outcomes(passed=2, deselected=2)
