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
from weave.kinds.api import _first_sentence
from weave.kinds.block import LIBRARIES


@pytest.fixture(scope="module")
def entries(site: Site) -> dict[str, Tag]:
    """Each entry of the pages, by the whole name of what it is about."""
    found = [
        (str(name["id"]), entry if name.name == "h3" else name)
        for page in site.pages
        for entry in page.article.select("h3[id] + .api")
        for name in (entry.find_previous_sibling("h3"), *entry.select("dt[id]"))
        if isinstance(name, Tag)
    ]
    assert len(found) == len(dict(found))
    return dict(found)


def public_modules() -> list[str]:
    found = pkgutil.walk_packages(microgpt.__path__, "microgpt.")
    return ["microgpt", *(m.name for m in found if m.name != "microgpt.__main__")]


def imported(name: str) -> ModuleType | None:
    """Import a module, unless it needs a library that is not here."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert error.name in LIBRARIES
        return None


def names_of(owner: object, whole: str, module: str) -> set[str]:
    """Return what Python itself finds to be public and made in a module."""
    found = set()
    for name, thing in vars(owner).items():
        thing = getattr(thing, "__func__", thing)
        made_here = getattr(thing, "__module__", None) == module
        if name.startswith("_") or not made_here:
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            found.add(f"{whole}.{name}")
        if inspect.isclass(thing):
            found |= names_of(thing, f"{whole}.{name}", module)
    return found


def test_each_public_name_that_python_finds_has_an_entry(
    entries: dict[str, Tag],
) -> None:
    modules = public_modules()
    assert set(modules) <= set(entries)
    for name in modules:
        if module := imported(name):
            assert names_of(module, name, name) <= set(entries), name


def test_an_entry_names_the_parameters_that_python_takes(
    entries: dict[str, Tag],
) -> None:
    compared = 0
    for name in microgpt.__all__:
        thing = getattr(microgpt, name)
        entry = entries[f"{thing.__module__}.{name}"]
        signature = entry.select_one(".signature")
        assert signature is not None
        text = signature.get_text()
        for parameter in inspect.signature(thing).parameters.values():
            assert re.search(rf"\b{parameter.name}: ", text), (name, parameter)
            is_given = parameter.default is not parameter.empty
            assert bool(re.search(rf"\b{parameter.name}: [^:]+ = ", text)) == is_given
            compared += 1
    assert compared > 40


def test_an_entry_says_what_the_docstring_says(entries: dict[str, Tag]) -> None:
    for name in microgpt.__all__:
        thing = getattr(microgpt, name)
        words = " ".join(str(inspect.getdoc(thing)).replace("`", "").split())
        texts = entries[f"{thing.__module__}.{name}"].select("p:not(.signature)")
        shown = " ".join(text.get_text() for text in texts)
        assert shown.startswith(words), name


def test_what_is_exported_is_listed_with_its_first_sentence(
    entries: dict[str, Tag],
) -> None:
    rows = entries["microgpt"].select("tbody tr")
    listed = {}
    for row in rows:
        name, what = (cell.get_text() for cell in row.select("td"))
        listed[name] = what
    assert set(listed) == set(microgpt.__all__)
    for name, what in listed.items():
        doc = str(inspect.getdoc(getattr(microgpt, name))).replace("`", "")
        assert " ".join(doc.split()).startswith(what)


def test_a_summary_ends_where_the_first_sentence_does() -> None:
    assert _first_sentence("One.\n\nTwo.") == "One."
    assert _first_sentence("One (et al.,\n2019) is. Two.") == "One (et al., 2019) is."
