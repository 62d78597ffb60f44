"""Every public name of the package has one entry in the reference, and no other has."""

import importlib
import inspect
import pkgutil
import re
from types import ModuleType

import pytest
from bs4 import Tag

import microgpt
from tests.promises.site import Site
from weave.fences.api_reference import _first_sentence
from weave.fences.python_block import OPTIONAL_LIBRARIES


@pytest.fixture(scope="module")
def api_entries(site: Site) -> dict[str, Tag]:
    """Entries of the API reference by full name, such as `microgpt.nn.linear`."""
    found = [
        (str(name["id"]), entry if name.name == "h3" else name)
        for page in site.pages
        for entry in page.article.select("h3[id] + .api")
        for name in (entry.find_previous_sibling("h3"), *entry.select("dt[id]"))
        if isinstance(name, Tag)
    ]
    assert len(found) == len(dict(found))
    return dict(found)


def list_public_modules() -> list[str]:
    found = pkgutil.walk_packages(microgpt.__path__, "microgpt.")
    return ["microgpt", *(m.name for m in found if m.name != "microgpt.__main__")]


def import_unless_library_missing(name: str) -> ModuleType | None:
    """Import a module; return None if it needs a library that is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert error.name in OPTIONAL_LIBRARIES
        return None


def find_public_names(owner: object, whole: str, module: str) -> set[str]:
    """Return the full names of public functions and classes defined in a module."""
    found = set()
    for name, thing in vars(owner).items():
        thing = getattr(thing, "__func__", thing)
        made_here = getattr(thing, "__module__", None) == module
        if name.startswith("_") or not made_here:
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            found.add(f"{whole}.{name}")
        if inspect.isclass(thing):
            found |= find_public_names(thing, f"{whole}.{name}", module)
    return found


def test_every_public_name_has_an_api_entry(api_entries: dict[str, Tag]) -> None:
    modules = list_public_modules()
    assert set(modules) <= set(api_entries)
    for name in modules:
        if module := import_unless_library_missing(name):
            assert find_public_names(module, name, name) <= set(api_entries), name


def test_api_entry_shows_parameters_and_docstring(api_entries: dict[str, Tag]) -> None:
    """Exported names are also listed with their first sentence."""
    rows = api_entries["microgpt"].select("tbody tr")
    listed = dict([cell.get_text() for cell in row.select("td")] for row in rows)
    assert listed.keys() == {*microgpt.__all__}
    compared = 0
    for name in microgpt.__all__:
        thing = getattr(microgpt, name)
        entry = api_entries[f"{thing.__module__}.{name}"]
        docstring = str(inspect.getdoc(thing)).replace("`", "")
        words = " ".join(docstring.replace("Args:", "Parameters:").split())
        shown = " ".join(p.get_text() for p in entry.select("p:not(.signature), li"))
        assert shown.startswith(words) and words.startswith(listed[name]), name
        signature = " ".join(each.get_text() for each in entry.select(".signature")[:1])
        for parameter in inspect.signature(thing).parameters.values():
            assert re.search(rf"\b{parameter.name}: ", signature), (name, parameter)
            is_given = parameter.default is not parameter.empty
            says_so = re.search(rf"\b{parameter.name}: [^:]+ = ", signature)
            assert bool(says_so) == is_given
            compared += 1
    assert compared > 40


def test_first_sentence_does_not_end_at_an_abbreviation() -> None:
    assert _first_sentence("One.\n\nTwo.") == "One."
    assert _first_sentence("One (et al.,\n2019) is. Two.") == "One (et al., 2019) is."
