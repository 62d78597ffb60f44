"""A run of every day leaves out what takes long; CI, and who asks for it, does not."""

import pytest

from tests.commands import PROJECT, TASKS
from tests.promises.site import ROOT
from tests.thorough import one_of_each, thorough

pytest_plugins = ["pytester"]
DAILY, CHOSEN = "not thorough and not nightly", "not nightly"


def command(task: str) -> list[str]:
    """Return the options that a task of contributors gives to pytest."""
    found: str = TASKS[task]["cmd"]
    assert found.startswith("pytest")
    return [part.strip() for part in found.removeprefix("pytest").split("'") if part]


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
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    marks: str,
) -> None:
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest((ROOT / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_some="")
    options = PROJECT["tool"]["pytest"]["ini_options"]["addopts"]
    pytester.makeini(f"[pytest]\naddopts = -m {options.partition(' -m ')[2]}")
    assert pytester.parseconfigure(*arguments).option.markexpr.strip() == marks


def test_only_the_first_case_of_a_kind_is_for_every_day() -> None:
    again = pytest.param("a2", marks=thorough)
    assert one_of_each(["a1", "a2", "b1"], kind=lambda c: c[0]) == ["a1", again, "b1"]
