"""The policy of pages allows only scripts from the site's files, and no other origin."""

import re
from pathlib import Path
from typing import ClassVar

import pytest
from lxml import etree, html
from playwright.sync_api import BrowserContext
from pytest import FixtureRequest

from tests.built_site import LOCAL_STORAGE_KEYS, Site
from tests.marks import SITE_FIXTURE_PARAMS, thorough
from tests.processes import ROOT
from tests.site.block_actions import find_block, printed_output, run_block
from tests.site.browsing import QuietHandler, serve_folder
from weave.publish.content_security_policy import (
    POLICY_TEMPLATE_PATH,
    SOURCES_BY_DIRECTIVE,
    format_policy,
    write_policy,
)

POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{format_policy()}">'
TAG_AFTER_POLICY = re.compile(
    r"<(script|style|body)|<link[^>]* rel=\"?(stylesheet|preload)"
)

RECORD_VIOLATIONS_JS = """addEventListener("securitypolicyviolation", event => {
  (window.violations ??= []).push(`${event.violatedDirective} ${event.blockedURI}`);
}, true)"""
VIOLATIONS_JS = "(window.violations ?? [])"
INJECT_SCRIPTS_JS = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = 1";
  document.body.append(script);
  document.body.insertAdjacentHTML("beforeend", "<img onerror='ran = 1' src='x:'>");
}"""


def find_policy_violations(text: str) -> list[str]:
    """Return each inline script of a page, and whether its policy comes late or twice."""
    faults = (
        [] if text.count(POLICY_TAG) == 1 else ["the policy is missing, or there twice"]
    )
    first = TAG_AFTER_POLICY.search(text)
    if first and first.start() < text.find(POLICY_TAG):
        faults.append(f"{first[0]} comes before the policy")
    for element in html.fromstring(text).iter(etree.Element):
        inline = element.tag == "script" and "src" not in element.attrib
        if inline and element.get("type") != "application/json":  # which nothing runs
            faults.append(f"a script within the page: {element.text}")
        for name, value in element.items():
            runs_code = value.lower().strip().startswith("javascript:")
            if runs_code or re.fullmatch("on[a-z]+", name):
                faults.append(f"a script in an attribute: {name}={value}")
    return faults


@pytest.mark.parametrize("builder", SITE_FIXTURE_PARAMS)
def test_every_page_obeys_its_policy(builder: str, request: FixtureRequest) -> None:
    site: Site = request.getfixturevalue(builder)
    assert (site.folder / "404.html").is_file()
    for file in site.folder.rglob("*.html"):
        text = file.read_text("utf-8")
        if 'http-equiv="refresh"' in text:  # a page that has moved
            assert "<script" not in text
        else:
            assert find_policy_violations(text) == [], file


def test_policy_allows_no_other_origins_and_no_eval() -> None:
    words = {*" ".join(SOURCES_BY_DIRECTIVE.values()).split()}
    assert words - {"data:", "blob:"} == {word for word in words if word[0] == "'"}
    assert "'unsafe-eval'" not in words
    assert "'unsafe-inline'" not in SOURCES_BY_DIRECTIVE["script-src"]
    assert SOURCES_BY_DIRECTIVE["default-src"] == "'self'"


def test_only_previews_have_no_policy(tmp_path: Path) -> None:
    write_policy(tmp_path, previewing=True)
    assert (tmp_path / POLICY_TEMPLATE_PATH).read_text() == ""
    write_policy(tmp_path, previewing=False)
    assert (tmp_path / POLICY_TEMPLATE_PATH).read_text().strip() == POLICY_TAG


class AllowingHandler(QuietHandler):
    """Serves files to pages of any origin, and records the paths that they request."""

    requested_paths: ClassVar[list[str]] = []

    def end_headers(self) -> None:
        self.requested_paths.append(self.path)
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


# Prints the status of the site, the error of another origin, and whether `Worker` exists,
# which would start a worker without the policy.
REQUESTS_PROGRAM = """
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
def test_browser_enforces_policy(fresh_context: BrowserContext, address: str) -> None:
    fresh_context.add_init_script(RECORD_VIOLATIONS_JS)
    watched = fresh_context.new_page()
    for path in ("", "404.html", "autograd/backward/"):
        watched.goto(address + path, wait_until="networkidle")
        assert watched.evaluate(VIOLATIONS_JS) == []
    watched.locator(".widget.graph").scroll_into_view_if_needed()
    watched.locator(".widget.graph[data-hydrated]").wait_for()
    with serve_folder(ROOT, AllowingHandler) as other:
        code = REQUESTS_PROGRAM.replace("SITE", address).replace("ELSEWHERE", other)
        block = find_block(watched, 1)
        assert run_block(block, code).startswith("finished")
        assert printed_output(block) == "200 NetworkError False\nEvalError\n"
        assert watched.evaluate(VIOLATIONS_JS) == [], (
            "a worker reports its violations to itself"
        )
        assert watched.evaluate(f"fetch('{other}').catch(e => e.name)") == "TypeError"
        assert AllowingHandler.requested_paths == []
    watched.evaluate(INJECT_SCRIPTS_JS)
    watched.wait_for_function(f"{VIOLATIONS_JS}.length > 2")
    assert watched.evaluate("typeof ran") == "undefined"
    assert fresh_context.cookies() == []
    stored = watched.evaluate("Object.keys(localStorage)")
    (changed,) = set(stored) - LOCAL_STORAGE_KEYS.keys()
    assert changed.startswith("guide:block:")
