"""What readers' devices keep is what builders build, of one edition."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.promises.site import Site
from tests.thorough import BUILDERS, nightly
from weave.publish import offline
from weave.publish.offline import EDITION, PROGRAM, SCRIPT, serving, write_worker

# What a build holds and no page asks for.
UNASKED = ("assets/javascripts/lunr/", "sitemap.xml", "404.html", "service-worker.js")


def manifest_of(script: Path) -> dict[str, Any]:
    first = script.read_text("utf-8").split("\n", 1)[0]
    found = json.loads(first.removeprefix("const MANIFEST = ").removesuffix(";"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("builder", BUILDERS)
def test_all_that_a_builder_built_is_known_by_its_hash(
    builder: str, request: pytest.FixtureRequest
) -> None:
    site: Site = request.getfixturevalue(builder)
    manifest = manifest_of(site.folder / "service-worker.js")
    files = {**manifest["files"], **manifest["theme"], **manifest["python"]}
    by_path = {name.partition("?")[0]: known for name, known in files.items()}
    labs = {f"{page}index.html" for page in manifest["labs"]}
    assert labs, "there are labs"
    if builder == "zensical_site":  # which shows none
        labs = set()
    pages = {f"{page}index.html" for page in manifest["pages"]} | labs
    named = f'<meta name="guide-edition" content="{manifest["edition"]}">'
    for path in sorted(site.folder.rglob("*")):
        name = path.relative_to(site.folder).as_posix()
        if path.is_dir() or path.suffix == ".map" or name.startswith((*UNASKED, ".")):
            continue
        if name in pages:
            assert named in path.read_text("utf-8"), name
            pages.remove(name)
        elif name not in manifest["search"] and not name.startswith("assets/images/"):
            if name.endswith("LICENSE"):
                continue
            content = path.read_bytes()
            hashed = [hashlib.sha256(content).hexdigest(), len(content)]
            assert by_path.pop(name, None) == hashed, name
    assert pages == set()
    # What is left are files of the other builder.
    assert by_path.keys() <= manifest["theme"].keys()
    assert any((site.folder / name).is_file() for name in manifest["search"])


@nightly
def test_both_builders_make_one_edition(site: Site, zensical_site: Site) -> None:
    scripts = [s.folder / "service-worker.js" for s in (site, zensical_site)]
    assert scripts[0].read_bytes() == scripts[1].read_bytes()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in (
        ("docs/index.md", "# A page"),
        ("docs/styles/a b.css", "a {}"),
        ("weave/render.py", "pass"),
        ("mkdocs.yml", "site_name: A site"),
        (PROGRAM.as_posix(), "work();"),
        ("web/theme/main.html", "<html>"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def edition_of(project: Path) -> str:
    write_worker(project)
    edition = (project / EDITION).read_text()
    assert manifest_of(project / SCRIPT)["edition"] == edition
    return edition


def test_the_same_sources_give_the_same_edition(project: Path) -> None:
    edition = edition_of(project)
    (project / SCRIPT).unlink()
    (project / "docs" / ".hidden").write_text("of an editor")
    assert edition_of(project) == edition
    assert list(manifest_of(project / SCRIPT)["files"]) == ["styles/a%20b.css"]


@pytest.mark.parametrize(
    "name",
    [
        "docs/index.md",
        "docs/styles/a b.css",
        "docs/new.md",
        "weave/render.py",
        "mkdocs.yml",
        PROGRAM.as_posix(),
        "web/theme/main.html",
    ],
)
def test_a_change_of_any_source_gives_another_edition(name: str, project: Path) -> None:
    edition = edition_of(project)
    (project / name).write_text("something else")
    assert edition_of(project) != edition


def test_another_address_or_builder_gives_another_edition(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editions = {edition_of(project)}
    monkeypatch.setenv("SITE_URL", "https://example.org/guide/")
    editions.add(edition_of(project))
    monkeypatch.setattr(offline, "_version", lambda package: "99")
    offline._manifest.cache_clear()
    editions.add(edition_of(project))
    assert len(editions) == 3


def test_without_the_web_layer_nothing_is_left_of_an_earlier_build(
    project: Path,
) -> None:
    edition_of(project)
    (project / PROGRAM).unlink()
    write_worker(project)
    assert not (project / SCRIPT).exists()
    assert not (project / EDITION).exists()


@pytest.mark.parametrize(
    ("words", "serves"),
    [
        (["serve"], True),
        (["-v", "serve", "--no-livereload"], True),
        (["build"], False),
        (["build", "-d", "serve"], False),
        ([], False),
    ],
)
def test_a_preview_has_no_edition(
    words: list[str], serves: bool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["mkdocs", *words])
    assert serving() is serves
    assert (edition_of(project) == "") is serves
