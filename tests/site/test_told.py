"""Numbers that stories of `views/` tell are what Python computes, not only what was recorded."""

import math
import re
from itertools import accumulate
from pathlib import Path

from pytest import approx

from microgpt import SGD, Value
from snippets.step1 import softmax
from tests.site.see import number
from tests.site.test_views import lines_of
from tests.site.test_widgets_sampler import odds, says

FILLS = re.compile(r"span\.fill × 27: (.*)")


def told(name: str) -> list[tuple[str, str]]:
    """Each line that does something in a story, with what is then read."""
    _, *lines = lines_of(Path(__file__).with_name("views") / f"{name}.txt")
    return list(zip(lines[::2], lines[1::2], strict=True))


def percents(text: str) -> list[float]:
    return [float(each.rstrip("%")) / 100 for each in text.split(", ")]


def test_a_step_multiplies_the_error_by_what_it_leaves() -> None:
    for act, text in told("sliders-rate"):
        rate = float(act.split()[-1]) if act.startswith("slide") else 0.05
        w, b = Value(0.0), Value(0.0)
        ((w * 2 + b - 5) ** 2).backward()
        SGD([w, b]).step(rate)
        (factor,) = re.findall(r"status: .*error by (\S+)\. ", text)
        assert number(factor) == approx((w.data * 2 + b.data - 5) / -5, abs=0.006)


def test_a_coin_costs_what_its_rules_say() -> None:
    for _, text in told("sliders-coin"):
        (p,) = map(float, re.findall(r'slider "you say of heads": (\S+)', text))
        costs = [
            float(row.split()[0]) for row in re.findall(r"under .* p (.*)\"", text)
        ]
        log = -0.7 * math.log(p) - 0.3 * math.log(1 - p)
        assert costs == approx([log, 0.7 * (1 - p) + 0.3 * p], abs=6e-4)


def test_a_dot_product_adds_up() -> None:
    """Only rows that change are told again; at first all of them are."""
    for act, text in told("network-dot"):
        cells = re.findall(r'row "(\S+\d) (\S+\d) (\S+\d) (\S+\d)"', text)
        rows = [[number(cell) for cell in row] for row in cells]
        assert [w * x for w, x, _, _ in rows] == approx(
            [row[2] for row in rows], abs=0.006
        )
        if act.startswith("open"):
            sums = [*accumulate(row[2] for row in rows)]
            assert sums == approx([row[3] for row in rows], abs=0.006)
        for total in re.findall(r'row "dot product (\S+)"', text):
            assert number(total) == rows[-1][3]


def test_softmax_is_that_of_the_program() -> None:
    for _, text in told("network-softmax"):
        rows = re.findall(r'row "[a-d] (\S+) (\S+) (.+) (\S+)"', text)
        for _, exponent, power, _ in rows:
            if power != "too large":
                assert number(power) == approx(math.exp(number(exponent)), rel=6e-3)
        found = [p for *_, p in rows]
        if rows and "–" not in found:
            expected = softmax([number(logit) for logit, *_ in rows])
            assert [*map(float, found)] == approx(expected, abs=6e-5)


def test_pulls_move_logits_as_the_gradient_does() -> None:
    rate, presses, logits = 1.0, list[int](), [0.0] * 27
    for act, text in told("sliders-tug"):
        targets = list[int]()
        if act == "press Start again":
            presses, logits = [], [0.0] * 27
        elif act.startswith("press All"):
            targets = presses * 100
        elif act.startswith("press"):
            presses.append("abcdefghijklmnopqrstuvwxyz".index(act[-1]))
            targets = presses[-1:]
        elif act.startswith("slide rate"):
            rate = float(act.split()[-1])
        for target in targets:
            p = softmax(logits)
            pulls = [(token == target) - p[token] for token in range(27)]
            logits = [z + rate * pull for z, pull in zip(logits, pulls, strict=True)]
        for fills in FILLS.findall(text):
            assert percents(fills) == approx(softmax(logits), abs=6e-4)


def test_top_k_and_top_p_keep_the_likeliest() -> None:
    standing = {"temperature": 0.5, "top-k": 27, "top-p": 1.0}
    for act, text in told("sampler"):
        what, _, value = act.removeprefix("slide ").partition(": ")
        if what not in standing:
            continue
        standing[what] = float(value)
        (name,) = re.findall(r"sampler\.name=(\w+)", text)
        p = sorted(odds(says(name), standing["temperature"]), reverse=True)
        p = [x * (rank < standing["top-k"]) for rank, x in enumerate(p)]
        p = [x / sum(p) for x in p]
        before = accumulate(p, initial=0.0)
        p = [x * (so_far < standing["top-p"]) for x, so_far in zip(p, before)]
        p = [x / sum(p) for x in p]
        (fills,) = FILLS.findall(text)
        assert percents(fills) == approx([x / max(0.2, *p) for x in p], abs=6e-4)
    assert standing["top-k"] < 27 and standing["top-p"] < 1
