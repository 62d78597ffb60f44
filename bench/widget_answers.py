"""How soon widgets answer, once Python is warm: `python -m bench.widget_answers SITE`.

SITE is the folder of a built site. Chromium types, drags or presses, and sees when the picture has changed for the last time.
"First" is the first answer after Python has started, "then" the median of the others.
On a busy machine, compare them with an empty round trip to a worker in the same minutes.
"""

import re
import shutil
import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from bench.machine import machine
from tests.site.browsing import served

NAMES = ["anna", "maria", "leo", "sara", "oliver", "ruth"]
BETAS = ["0.5", "0.6", "0.7", "0.8", "0.9"]
RAN = re.compile("finished|same output")
TEXT = "input[type=text]"
# What is done: a widget's page, its control, and what is put there, if anything is.
CONTROLS: dict[str, tuple[str, str, list[str]]] = {
    "tokens": ("counting/tokens/", TEXT, NAMES),
    "dataset": ("counting/dataset/", TEXT, [name[:2] for name in NAMES]),
    "count_table": ("counting/counts/", ".again", [""] * 5),
    "name_loss": ("counting/loss/", TEXT, NAMES),
    "counting": ("counting/training/", TEXT, NAMES),
    "graph": ("autograd/backward/", "textarea", [f"a = {i}; a * a" for i in range(5)]),
    "running_mean": ("adam/bias-correction/", "[type=range]", BETAS),
    "bpe": ("efficiency/left-out/", TEXT, NAMES),
    "attention": ("attention/scores/", TEXT, NAMES),
    "transformer": ("transformer/forward-pass/", TEXT, NAMES),
    "network": ("gradient-descent/network/", TEXT, NAMES),
    "gradient_check": ("gradient-descent/gradient-check/", TEXT, NAMES),
}
ROUND_TRIP = """() => new Promise((resolve) => {
  const echo = "onmessage = ({ data }) => postMessage(data)";
  const worker = new Worker(URL.createObjectURL(new Blob([echo])));
  let start;
  worker.onmessage = ({ data }) => {
    if (data === 1) return resolve(performance.now() - start);
    start = performance.now();
    worker.postMessage(1);
  };
  worker.postMessage(0);
})"""
ANSWER = """async ([name, control, value]) => {
  const stage = document.querySelector(`[data-widget=${name}] .stage`);
  const field = stage.querySelector(control);
  const start = performance.now();
  let last = 0;
  new MutationObserver((changes) => {
    const beside = ".controls, .sr-only, [role=status]";
    const shown = ({ target }) => !(target.parentElement ?? target).closest(beside);
    if (changes.some(shown)) last = performance.now() - start;
  }).observe(stage, { subtree: true, childList: true, characterData: true, attributes: true });
  if (value === "") field.click();
  else field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  do await new Promise((resolve) => setTimeout(resolve, 300));
  while (stage.querySelector("[data-busy=true]"));
  return last;
}"""


def main() -> None:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with served(Path(sys.argv[1])) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        print(f"{machine()}, Chromium {browser.version}; milliseconds")
        print(f"{'':14} {'first':>7} {'then':>7} {'empty':>7}")
        for name, (path, control, values) in CONTROLS.items():
            tab = browser.new_page()
            tab.goto(address + path)
            figure = tab.locator(f"[data-widget={name}]").first
            figure.scroll_into_view_if_needed()
            figure.locator("xpath=self::*[@data-alive]").wait_for()
            if name == "graph":
                figure.get_by_role("button", name="Another expression").click()
            # Whoever asks first starts Python: a block does.
            block = tab.locator(".cell .run").first
            block.click()
            tab.locator(".cell .state", has_text=RAN).first.wait_for()
            empty = median(tab.evaluate(ROUND_TRIP) for _ in range(5))
            first, *then = (
                tab.evaluate(ANSWER, [name, control, value]) for value in values
            )
            print(f"{name:14} {first:7.1f} {median(then):7.1f} {empty:7.2f}")
            tab.close()


if __name__ == "__main__":
    main()
