"""Who builds or checks `web/` gets what that needs, or one sentence that says why not."""

import json
import shutil
from pathlib import Path

import pytest

import npm
from tests.promises.site import ROOT

WEB = ROOT / "web"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A copy of what `web/` needs, with nothing installed."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(WEB / name, tmp_path)
    return tmp_path


def installed(web: Path, leave_out: str = "") -> None:
    """Write down, as npm does, what is installed; no package is named `leave_out`."""
    lock = json.loads((web / "package-lock.json").read_text("utf-8"))
    del lock["packages"][""]
    lock["packages"].pop(f"node_modules/{leave_out}", None)
    (web / "node_modules").mkdir(exist_ok=True)
    (web / "node_modules" / ".package-lock.json").write_text(json.dumps(lock))


def test_what_is_missing_is_known(web: Path) -> None:
    assert not npm.is_installed(web, dev=False)
    installed(web)
    assert npm.is_installed(web, dev=True)
    installed(web, leave_out="typescript")
    assert npm.is_installed(web, dev=False)
    assert not npm.is_installed(web, dev=True)
    installed(web, leave_out="preact")
    assert not npm.is_installed(web, dev=False)


def test_without_a_network_one_sentence_says_so(
    web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_cache", str(web / "cache"))
    monkeypatch.setattr(npm, "WEB", web)
    assert npm.main(["run", "check"]) == 1
    *_, said = capsys.readouterr().err.splitlines()
    assert said.startswith("npm could not install what web/ needs (")
    assert said.endswith("): the first time it needs a network")
