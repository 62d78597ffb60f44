"""How long a reader waits for a block: `python -m bench.first_run`.

Chromium opens a page from a server on this machine and presses Run. First with an empty
cache: Python is fetched, compiled and started. Then on the page loaded again, with
what the browser kept. Then once more on the same page, where Python has been started.
The three are measured in turn, so that a busy machine slows all alike; medians.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter

from playwright.sync_api import Page

from bench.browser import chromium, served
from bench.machine import machine
from microgpt.cli.parser import positive

PAGE = "autograd/value/"
BLOCK = "#block-2"


def seconds_to_run(tab: Page) -> float:
    """Press Run and wait until the block has finished as the page says."""
    bar = tab.locator(f"{BLOCK} .bar")
    bar.evaluate("bar => delete bar.dataset.state")
    started = perf_counter()
    bar.locator(".run").click()
    tab.wait_for_selector(f"{BLOCK} .bar[data-state=done]")
    return perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=positive, default=5)
    rounds = parser.parse_args().rounds

    names = ("first run, cold cache", "first run, warm cache", "second run")
    seen: dict[str, list[float]] = {name: [] for name in names}
    with served() as server, chromium() as browser:
        version = browser.version
        for _ in range(rounds):
            with browser.new_context() as context:
                tab = context.new_page()
                tab.goto(server.address + PAGE, wait_until="networkidle")
                seen[names[0]].append(seconds_to_run(tab))
                tab.goto(server.address + PAGE, wait_until="networkidle")
                seen[names[1]].append(seconds_to_run(tab))
                seen[names[2]].append(seconds_to_run(tab))

    print(f"{machine()}, Chromium {version}, {rounds} rounds")
    cold = median(seen[names[0]])
    for name, results in seen.items():
        middle = median(results)
        print(f"{name:24} {middle:6.2f} s   {middle / cold:5.2f} of a cold one")


if __name__ == "__main__":
    main()
