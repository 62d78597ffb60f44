"""Detecting missing npm packages of `web/`."""

import json
import shutil
from pathlib import Path

import npm
from tests.processes import ROOT


def test_are_packages_installed_detects_missing_npm_packages(tmp_path: Path) -> None:
    shutil.copy(ROOT / "web" / "package-lock.json", tmp_path)
    lock = json.loads((tmp_path / "package-lock.json").read_text("utf-8"))
    del lock["packages"][""]
    (tmp_path / "node_modules").mkdir()

    def are_installed(*, include_dev: bool, without: str = "") -> bool:
        lock["packages"].pop(f"node_modules/{without}", None)
        installed = tmp_path / "node_modules" / ".package-lock.json"
        installed.write_text(json.dumps(lock), "utf-8")
        return npm.are_packages_installed(tmp_path, include_dev=include_dev)

    assert not npm.are_packages_installed(tmp_path, include_dev=False)
    assert are_installed(include_dev=True)
    assert are_installed(include_dev=False, without="typescript")
    assert not are_installed(include_dev=True)
    assert not are_installed(include_dev=False, without="preact")
