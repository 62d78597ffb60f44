"""Every public name of the package has one entry in the reference, and no other name has."""

import importlib
import inspect
import pkgutil
import re
from contextlib import suppress

import pytest
from bs4 import Tag

import microgpt
from tests.built_site import Site
from weave.fences.api_reference import _first_sentence


@pytest.fixture(scope="module")
def api_entries(site: Site) -> dict[str, Tag]:
    """Entries of the API reference by full name, such as `microgpt.nn.linear`."""
    entries = [
        (str(name["id"]), entry if name.name == "h3" else name)
        for page in site.pages
        for entry in page.article.select("h3[id] + .api")
        for name in (entry.find_previous_sibling("h3"), *entry.select("dt[id]"))
        if isinstance(name, Tag)
    ]
    assert len(entries) == len(dict(entries))
    return dict(entries)


def find_public_names(owner: object, owner_name: str, module: str) -> set[str]:
    """Return the full names of an owner's functions and classes that a module defines."""
    names = set()
    for name, thing in vars(owner).items():
        thing = getattr(thing, "__func__", thing)
        is_own = getattr(thing, "__module__", None) == module
        if name.startswith("_") or not is_own:
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            names.add(f"{owner_name}.{name}")
        if inspect.isclass(thing) and thing.__name__ == name:  # not an old name of it
            names |= find_public_names(thing, f"{owner_name}.{name}", module)
    return names


def test_every_public_name_has_an_api_entry(api_entries: dict[str, Tag]) -> None:
    modules = pkgutil.walk_packages(microgpt.__path__, "microgpt.")
    for name in ["microgpt", *(m.name for m in modules if m.name[-2:] != "__")]:
        assert name in api_entries
        with suppress(ModuleNotFoundError):  # of a library that is not installed
            module = importlib.import_module(name)
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
            parameter_text = re.search(rf"\b{parameter.name}: ([^:]+ = )?", signature)
            assert parameter_text, (name, parameter)
            assert bool(parameter_text[1]) == (parameter.default is not parameter.empty)
            compared += 1
    assert compared > 40


def test_first_sentence_does_not_end_at_an_abbreviation() -> None:
    assert _first_sentence("One.\n\nTwo.") == "One."
    assert _first_sentence("One (et al.,\n2019) is. Two.") == "One (et al., 2019) is."
