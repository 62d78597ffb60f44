"""Nothing about readers is collected: what pages store is listed, and stays in the browser.

Their policy lets them send nothing elsewhere: test_13 checks that, and for cookies.
"""

import re

from tests.built_site import LOCAL_STORAGE_KEYS
from tests.processes import ROOT


def test_scripts_store_only_the_listed_local_storage_keys() -> None:
    sources = [ROOT / "web" / "theme" / "before-paint.js"]
    for folder in ("runtime", "parts", "widgets"):
        sources += (ROOT / "web" / folder).rglob("*.ts*")
    text = "".join(file.read_text("utf-8") for file in sources)
    keys = re.findall(r"[\"'`](guide:[^\"'`]+)[\"'`]", text)
    assert {*keys} == LOCAL_STORAGE_KEYS.keys()
    # No policy forbids other kinds of storage, or connections between browsers.
    others = r"document\.cookie|cookieStore|indexedDB|sessionStorage|RTCPeerConnection"
    assert re.findall(others, text) == []
