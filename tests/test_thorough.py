"""A run of every day leaves out what takes long; CI, and who asks for it, does not."""

import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
TESTS = """\
import pytest
from tests.thorough import nightly, one_of_each, thorough

@nightly
def test_at_night():
    pass

@thorough
def test_long():
    pass

@pytest.mark.parametrize("case", one_of_each(["a1", "a2", "b1"], kind=lambda c: c[0]))
def test_of_a_kind(case):
    pass
"""


def command(task: str) -> list[str]:
    """Return the options that a task of contributors gives to pytest."""
    found = SETTINGS["poe"]["tasks"][task]["cmd"]
    assert found.startswith("pytest")
    return [part.strip() for part in found.removeprefix("pytest").split("'") if part]


DAILY, CHOSEN = "not thorough and not nightly", "not nightly"


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    """A project with our settings and four tests."""
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest((ROOT / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_some=TESTS)
    options = SETTINGS["pytest"]["ini_options"]
    chosen = options["addopts"].partition(" -m ")[2]
    pytester.makeini(f"[pytest]\naddopts = -m {chosen}\nmarkers = thorough\n  nightly")
    return pytester


@pytest.mark.parametrize(
    ("arguments", "marks"),
    [
        ([], DAILY),
        (["test_some.py"], CHOSEN),
        (["-k", "test"], CHOSEN),
        (command("test"), DAILY),
        (command("test-all"), CHOSEN),
        (command("test-nightly"), "nightly"),
    ],
)
def test_who_names_nothing_gets_what_is_quick(
    project: pytest.Pytester, arguments: list[str], marks: str
) -> None:
    assert project.parseconfigure(*arguments).option.markexpr.strip() == marks


@pytest.mark.parametrize(
    ("arguments", "passed"), [([], 2), (["test_some.py", "-n2"], 4)]
)
def test_tests_are_chosen_by_their_marks(
    project: pytest.Pytester, arguments: list[str], passed: int
) -> None:
    project.runpytest_subprocess(*arguments).assert_outcomes(passed=passed)
