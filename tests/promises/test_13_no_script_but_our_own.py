"""Pages allow themselves no script but the site's files, and no other origin."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lxml import etree, html
from playwright.sync_api import BrowserContext

from tests.marks import SITE_FIXTURES, thorough
from tests.promises.site import LOCAL_STORAGE_KEYS, ROOT, Site
from tests.site.block_actions import find_block, printed_output, run_block
from tests.site.browsing import QuietHandler, serve_folder
from weave.publish.content_security_policy import (
    POLICY,
    POLICY_TEMPLATE,
    format_policy,
    write_policy,
)

META = f'<meta http-equiv="Content-Security-Policy" content="{format_policy()}">'
FETCHES = re.compile(r"<(script|style|body)|<link[^>]* rel=\"?(stylesheet|preload)")
HANDLER = re.compile(r"on[a-z]+")
SCRIPT = "javascript:"
DATA = "application/json"  # no script: nothing runs what it holds

NOTE = """addEventListener("securitypolicyviolation", event => {
  (window.violations ??= []).push(`${event.violatedDirective} ${event.blockedURI}`);
}, true)"""
NOTED = "(window.violations ?? [])"
PLANTED = """
const script = document.createElement("script");
script.textContent = "window.ran = 1";
document.body.append(script);
document.body.insertAdjacentHTML("beforeend", "<img onerror='ran = 1' src='x:'>");
"""


def faults(text: str) -> list[str]:
    """Return what breaks the policy on a page, or lets another page break it."""
    found = [] if text.count(META) == 1 else ["the policy is not stated once"]
    first = FETCHES.search(text)
    if first and first.start() < text.find(META):
        found.append(f"{first[0]} comes before the policy")
    for element in html.fromstring(text).iter(etree.Element):
        inline = element.tag == "script" and "src" not in element.attrib
        if inline and element.get("type") != DATA:
            found.append(f"a script within the page: {element.text}")
        for name, value in element.items():
            if HANDLER.fullmatch(name) or value.lower().strip().startswith(SCRIPT):
                found.append(f"a script in an attribute: {name}={value}")
    return found


@pytest.mark.parametrize("builder", SITE_FIXTURES)
def test_every_page_has_the_security_policy_and_no_inline_script(
    builder: str, request: pytest.FixtureRequest
) -> None:
    site: Site = request.getfixturevalue(builder)
    pages = sorted(site.folder.rglob("*.html"))
    assert len(pages) > len(site.pages), "the pages, and the one for what is missing"
    found = {file: faults(file.read_text(encoding="utf-8")) for file in pages}
    assert not {file: of_page for file, of_page in found.items() if of_page}


def test_security_policy_allows_no_other_origins_and_no_eval() -> None:
    words = {word for allowed in POLICY.values() for word in allowed.split()}
    assert words - {"data:", "blob:"} == {word for word in words if word[0] == "'"}
    assert "'unsafe-eval'" not in words
    assert "'unsafe-inline'" not in POLICY["script-src"]
    assert POLICY["default-src"] == "'self'"


def test_only_preview_builds_have_no_security_policy(tmp_path: Path) -> None:
    write_policy(tmp_path, previewing=True)
    assert (tmp_path / POLICY_TEMPLATE).read_text() == ""
    write_policy(tmp_path, previewing=False)
    assert (tmp_path / POLICY_TEMPLATE).read_text().strip() == META


@contextmanager
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """Serve another origin, which anybody may read; note what it is asked."""
    asked: list[str] = []

    class Elsewhere(QuietHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

    with serve_folder(ROOT, Elsewhere) as address:
        yield address, asked


# The site answers; elsewhere is not asked; and there is no worker without the policy.
BLOCK = """
import js
def status(address):
    request = js.XMLHttpRequest.new()
    request.open("GET", address, False)
    try:
        request.send()
        return request.status
    except Exception as error:
        return error.name
print(status("SITE"), status("ELSEWHERE"), hasattr(js, "Worker"))
try:
    js.eval("1")
except Exception as error:
    print(error.name)
"""


@thorough
def test_browser_blocks_injected_scripts_and_other_origins(
    fresh_context: BrowserContext, address: str
) -> None:
    fresh_context.add_init_script(NOTE)
    watched = fresh_context.new_page()
    for path in ("", "404.html", "autograd/backward/"):
        watched.goto(address + path, wait_until="networkidle")
        assert watched.evaluate(NOTED) == []
    watched.locator(".widget.graph").scroll_into_view_if_needed()
    watched.locator(".widget.graph[data-alive]").wait_for()
    with elsewhere() as (other, asked):
        code = BLOCK.replace("SITE", address).replace("ELSEWHERE", other)
        assert run_block(find_block(watched, 1), code).startswith("finished")
        assert (
            printed_output(find_block(watched, 1))
            == "200 NetworkError False\nEvalError\n"
        )
        assert watched.evaluate(NOTED) == [], "the worker's faults are its own"
        assert watched.evaluate(f"fetch('{other}').catch(e => e.name)") == "TypeError"
        assert asked == []
    watched.evaluate(f"() => {{ {PLANTED} }}")
    watched.wait_for_function(f"{NOTED}.length > 2")
    assert watched.evaluate("typeof ran") == "undefined"
    assert fresh_context.cookies() == []
    (changed,) = (
        set(watched.evaluate("Object.keys(localStorage)")) - LOCAL_STORAGE_KEYS.keys()
    )
    assert changed.startswith("guide:block:")
