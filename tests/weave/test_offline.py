"""What readers' devices keep is what builders build, of one edition."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.promises.site import Site
from tests.thorough import BUILDERS, nightly
from weave.publish import offline
from weave.publish.offline import (
    EDITION,
    PROGRAM,
    SCRIPT,
    known_by,
    write_worker,
)

# What a build holds and no page asks for.
UNASKED = ("assets/javascripts/lunr/", "assets/images/", "sitemap.xml", "404.html")

# Where builders put the index of the search, as the worker knows.
SEARCH = ("search/search_index.json", "search.json")


def build_of(script: Path) -> dict[str, Any]:
    first = script.read_text("utf-8").split("\n", 1)[0]
    found = json.loads(first.removeprefix("const BUILD = ").removesuffix(";"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("builder", BUILDERS)
def test_all_that_a_builder_built_is_known_by_its_hash(
    builder: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(builder).folder
    build = build_of(folder / "service-worker.js")
    edition = f'<meta name="guide-edition" content="{build["edition"]}">'
    assert build["labs"], "there are labs"
    labs = build["labs"] if builder == "site" else []  # Zensical shows none
    pages = {f"{page}index.html" for page in [*build["pages"], *labs]}
    known = {**build["files"], **build["theme"], **build["python"]}
    files = {name.partition("?")[0]: each for name, each in known.items()}
    for path in sorted(filter(Path.is_file, folder.rglob("*"))):
        name = path.relative_to(folder).as_posix()
        if name.startswith((*UNASKED, ".")) or path.suffix == ".map":
            continue
        if name in pages:
            assert edition in path.read_text("utf-8"), name
            pages.remove(name)
        elif name not in (*SEARCH, SCRIPT.name) and path.name != "LICENSE":
            assert files.pop(name, None) == [*known_by(path)], name
    assert pages == set()
    # What is left are files of the other builder.
    assert files.keys() <= build["theme"].keys()
    assert any((folder / name).is_file() for name in SEARCH)


@nightly
def test_both_builders_make_one_edition(site: Site, zensical_site: Site) -> None:
    scripts = [s.folder / "service-worker.js" for s in (site, zensical_site)]
    assert scripts[0].read_bytes() == scripts[1].read_bytes()


SOURCES = [
    *("docs/index.md", "docs/styles/a b.css", "weave/render.py", "mkdocs.yml"),
    *(PROGRAM.as_posix(), "web/theme/main.html"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path in map(tmp_path.joinpath, SOURCES):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path


def edition_of(project: Path, *, previewing: bool = False) -> str:
    write_worker(project, previewing=previewing)
    edition = (project / EDITION).read_text()
    assert build_of(project / SCRIPT)["edition"] == edition
    return edition


def test_the_same_sources_give_the_same_edition(project: Path) -> None:
    edition = edition_of(project)
    (project / SCRIPT).unlink()
    (project / "docs" / ".hidden").write_text("of an editor")
    assert edition_of(project) == edition
    files = build_of(project / SCRIPT)["files"]
    assert files["styles/a%20b.css"] == [*known_by(project / "docs/styles/a b.css")]
    assert ".hidden" not in files


@pytest.mark.parametrize("name", [*SOURCES, "docs/new.md"])
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
    editions.add(edition_of(project))
    assert len(editions) == 3


def test_without_the_web_layer_nothing_is_left_of_an_earlier_build(
    project: Path,
) -> None:
    edition_of(project)
    (project / PROGRAM).unlink()
    write_worker(project, previewing=False)
    assert not (project / SCRIPT).exists()
    assert not (project / EDITION).exists()


def test_a_preview_has_no_edition(project: Path) -> None:
    assert edition_of(project, previewing=True) == ""
