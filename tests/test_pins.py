"""The list of pinned versions is exact, complete, and installed."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.processes import ROOT
from weave.publish.pin_dependencies import replace_pins

PYPROJECT_TEXT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads(PYPROJECT_TEXT)
PIN_LINES: list[str] = PYPROJECT["dependency-groups"]["pins"]
PINNED_REQUIREMENTS: list[Requirement] = [Requirement(pin) for pin in PIN_LINES]


def iterate_dev_dependency_versions() -> Iterator[tuple[str, str]]:
    """Yield name and version of each package that `dev` requires, directly or not."""
    declared = PYPROJECT["project"]["optional-dependencies"]["dev"]
    waiting = [Requirement(line) for line in declared]
    met: set[tuple[str, str]] = set()
    while waiting:
        wanted = waiting.pop()
        package = distribution(wanted.name)
        for extra in {"", *wanted.extras} - {e for n, e in met if n == package.name}:
            met.add((package.name, extra))
            needs = [Requirement(line) for line in package.requires or ()]
            at = {"extra": extra}
            waiting += [n for n in needs if not n.marker or n.marker.evaluate(at)]
        yield canonicalize_name(wanted.name), f"=={package.version}"


def test_each_pin_is_one_exact_version_without_a_url() -> None:
    exact_pin = re.compile(r"[a-z0-9-]+==[\w.]+( ; .+)?")
    assert [pin for pin in PIN_LINES if not exact_pin.fullmatch(pin)] == []
    names = {pin.name for pin in PINNED_REQUIREMENTS}
    assert "torch" not in names, "each machine needs its own"


def test_installed_packages_have_exactly_the_pinned_versions() -> None:
    pinned = {
        canonicalize_name(pin.name): str(pin.specifier)
        for pin in PINNED_REQUIREMENTS
        if not pin.marker or pin.marker.evaluate()  # for this machine
    }
    assert dict(iterate_dev_dependency_versions()) == pinned


def test_default_install_uses_the_pins() -> None:
    assert {"include-group": "pins"} in PYPROJECT["dependency-groups"]["dev"]


def test_replacing_the_pins_keeps_the_rest_of_pyproject() -> None:
    assert replace_pins(PYPROJECT_TEXT, PIN_LINES) == PYPROJECT_TEXT
    assert '\npins = [\n    "a==1",\n]\n' in replace_pins(PYPROJECT_TEXT, ["a==1"])
