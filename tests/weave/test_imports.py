"""The picture of a package shows what its modules really import."""

from pathlib import Path

import pytest

from weave.errors import WeaveError
from weave.kinds.diagram import import_diagram as diagram
from weave.kinds.diagram import imports_of, reduced


def package(root: Path, **files: str) -> Path:
    (root / "p").mkdir()
    for name, text in {"__init__": "import p.a", **files}.items():
        (root / "p" / f"{name}.py").write_text(text)
    return root


def test_each_way_to_import_is_found(tmp_path: Path) -> None:
    root = package(
        tmp_path,
        a="",
        b="import p.a",
        c="from p import a",
        d="from p.a import x",
        e="def later():\n    import_module('p.a')",
        f="import a, os.path",
    )
    found = imports_of(root, "p")
    assert {name for name, named in found.items() if named == {"a"}} == set("bcde")
    assert found["f"] == set()


def test_an_import_that_others_imply_is_left_out(tmp_path: Path) -> None:
    root = package(tmp_path, a="", b="import p.a", c="import p.a, p.b")
    assert reduced(imports_of(root, "p")) == {"a": set(), "b": {"a"}, "c": {"b"}}


def test_a_module_with_one_arrow_stands_in_the_box_that_it_leads_to(
    tmp_path: Path,
) -> None:
    root = package(tmp_path, a="", b="import p.a", c="import p.b", d="import p.b")
    assert diagram(root, "p").splitlines()[1:] == [
        '    b["b<br/>+ a"]',
        '    c["c"]',
        '    d["d"]',
        "    b --> c",
        "    b --> d",
    ]


def test_an_unknown_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeaveError, match="no package 'q'"):
        diagram(tmp_path, "q")
