"""How fast a phone shows a page: `python -m bench.page_load`.

Chromium, with its processor slowed four times, loads the home page and each chapter
from a server on this machine that compresses with gzip, each time with an empty cache.
One load of every page in turn, so that a busy machine slows all alike; medians.

Largest contentful paint is when the largest part of the first screen is there. A long
task keeps the browser from answering for more than 50 ms: "long" adds up such tasks,
"blocked" only what each takes beyond 50 ms. Shift is the cumulative layout shift.
"""

import argparse
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser

from bench.browser import ROOT, Server, chromium, served
from bench.machine import machine
from microgpt.cli.parser import positive
from weave.guide import Guide

SLOWER = 4
OBSERVE = """
window.seen = {paint: 0, long: 0, blocked: 0, shift: 0};
const watch = (type, add) => new PerformanceObserver(
  list => list.getEntries().forEach(add)).observe({type, buffered: true});
watch("largest-contentful-paint", entry => { seen.paint = entry.startTime; });
watch("longtask", entry => {
  seen.long += entry.duration; seen.blocked += entry.duration - 50; });
watch("layout-shift", entry => { if (!entry.hadRecentInput) seen.shift += entry.value; });
"""


@dataclass(frozen=True)
class Load:
    """One load of a page: milliseconds, the layout shift, bytes."""

    paint: float
    long: float
    blocked: float
    shift: float
    sent: int


def load(browser: Browser, server: Server, path: str) -> Load:
    """Load a page as a phone's first visit would."""
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        tab = context.new_page()
        session = context.new_cdp_session(tab)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        tab.add_init_script(OBSERVE)
        before = server.sent
        tab.goto(server.address + path, wait_until="networkidle")
        tab.wait_for_timeout(1000)
        return Load(**tab.evaluate("seen"), sent=server.sent - before)


def addresses() -> list[str]:
    """Return the path of the home page and of each chapter, in the site's order."""
    sections = Guide(ROOT).sections.items()
    chapters = [path for path, section in sections if section.step.startswith("Step")]
    return ["", *(f"{path.removesuffix('.md')}/" for path in chapters)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=positive, default=5, help="of each page")
    loads = parser.parse_args().loads

    paths = addresses()
    seen: dict[str, list[Load]] = {path: [] for path in paths}
    with served() as server, chromium() as browser:
        version = browser.version
        load(browser, server, "")  # the browser's own first time
        for _ in range(loads):
            for path in paths:
                seen[path].append(load(browser, server, path))

    print(f"{machine()}, Chromium {version}, {SLOWER} times slower, {loads} loads each")
    print(f"{'':26} {'paint':>8} {'long':>8} {'blocked':>8} {'shift':>6} {'sent':>9}")
    for path, results in seen.items():
        middle = {
            name: median(getattr(result, name) for result in results)
            for name in Load.__dataclass_fields__
        }
        print(
            f"{path or 'home':26} {middle['paint']:5.0f} ms {middle['long']:5.0f} ms "
            f"{middle['blocked']:5.0f} ms {middle['shift']:6.3f} "
            f"{middle['sent'] / 1000:6.0f} kB"
        )


if __name__ == "__main__":
    main()
