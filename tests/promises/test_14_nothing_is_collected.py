"""Nothing about readers is collected: what pages keep is listed, and stays in the browser.

Their policy lets them report nothing elsewhere; test_13 looks at that, and for cookies.
"""

import re

from tests.promises.site import LOCAL_STORAGE_KEYS, ROOT


def test_scripts_keep_only_the_listed_local_storage_keys() -> None:
    sources = [ROOT / "web" / "theme" / "before-paint.js"]
    for folder in ("runtime", "parts", "widgets"):
        sources += (ROOT / "web" / folder).rglob("*.ts*")
    text = "".join(file.read_text("utf-8") for file in sources)
    keys = re.findall(r"[\"'`](guide:[^\"'`]+)[\"'`]", text)
    assert {*keys} == LOCAL_STORAGE_KEYS.keys()
    # What no policy forbids: to keep something elsewhere, or to reach another browser
    others = r"document\.cookie|cookieStore|indexedDB|sessionStorage|RTCPeerConnection"
    assert re.findall(others, text) == []
