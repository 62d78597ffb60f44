"""Nothing about readers is collected: no cookie, no report, and what is kept stays theirs."""

import re
from fnmatch import fnmatch

from tests.promises.site import LOCAL_STORAGE_KEYS, ROOT, Site

# How a page can send something unasked, or keep it elsewhere.
REPORTING_APIS = re.compile(
    r"(?<!\w)(?:document\.cookie|cookieStore|sendBeacon|new WebSocket|new EventSource"
    r"|RTCPeerConnection|indexedDB|sessionStorage)(?!\w)"
)
# Scripts and what they use of these, and why nothing is collected by it
EXCUSED_USES: dict[tuple[str, str], str] = {
    ("assets/pyodide-*", "new WebSocket"): "for programs that open sockets; the policy"
    " lets them reach this site alone",
    ("assets/pyodide-*", "indexedDB"): "for programs that mount a file system",
    ("assets/pyodide-*", "sessionStorage"): "asked for, to know a page from a worker",
    ("assets/javascripts/bundle.*", "sessionStorage"): "for versions and repositories,"
    " which no page names",
}


def test_scripts_set_no_cookie_and_send_no_reports(site: Site) -> None:
    found = set[tuple[str, str]]()
    for name, script in site.scripts():
        found |= {(name, api) for api in REPORTING_APIS.findall(script)}
    used = {
        excuse: {x for x in found if fnmatch(x[0], excuse[0]) and x[1] == excuse[1]}
        for excuse in EXCUSED_USES
    }
    assert found == set().union(*used.values())
    assert all(used.values()), "an excuse that nothing needs"


def test_scripts_use_the_listed_local_storage_keys() -> None:
    sources = [ROOT / "web" / "theme" / "before-paint.js"]
    for folder in ("runtime", "parts", "widgets"):
        sources += (ROOT / "web" / folder).rglob("*.ts*")
    text = "".join(file.read_text("utf-8") for file in sources)
    keys = re.findall(r"[\"'`](guide:[^\"'`]+)[\"'`]", text)
    assert {*keys} == LOCAL_STORAGE_KEYS.keys()
