"""What `web/` is built and checked with is installed when something of it is missing."""

import json
import shutil
from pathlib import Path

import npm
from tests.promises.site import ROOT


def test_is_installed_detects_missing_npm_packages(tmp_path: Path) -> None:
    shutil.copy(ROOT / "web" / "package-lock.json", tmp_path)
    lock = json.loads((tmp_path / "package-lock.json").read_text("utf-8"))
    del lock["packages"][""]
    (tmp_path / "node_modules").mkdir()

    def is_installed(*, dev: bool, without: str = "") -> bool:
        lock["packages"].pop(f"node_modules/{without}", None)
        as_npm_writes = tmp_path / "node_modules" / ".package-lock.json"
        as_npm_writes.write_text(json.dumps(lock), "utf-8")
        return npm.is_installed(tmp_path, dev=dev)

    assert not npm.is_installed(tmp_path, dev=False)
    assert is_installed(dev=True)
    assert is_installed(dev=False, without="typescript")
    assert not is_installed(dev=True)
    assert not is_installed(dev=False, without="preact")
