"""The pictures of Step 6, in the order of its pages."""

import math
import random
import re
from itertools import pairwise
from pathlib import Path

from microgpt import Config, Run, Tokenizer, load_model, sample, softmax
from pictures.counting import pieces
from pictures.drawing import WIDTH, Axis, Drawing
from pictures.records import recorded
from snippets import step1
from snippets.ready import counted, shuffled
from snippets.step0 import probabilities


def one_die(sheet: Drawing) -> None:
    """One roll of a die, at four temperatures: what comes after "mar", and four whole names."""
    begun = "mar"
    temperatures = (0.2, 0.5, 1.0, 2.0)
    roll = random.Random(6).random()
    left, highest, apart, high = 46, 46, 68, 30  # pixels
    room = 13  # pixels that a letter needs
    model, tokenizer = load_model()
    cache = model.new_cache()
    for token in [tokenizer.bos, *tokenizer.encode(begun)]:
        logits = model.forward(token, cache)
    across, letters = WIDTH - 8 - left, tokenizer.characters + "."
    for row, temperature in enumerate(temperatures):
        top = highest + apart * row
        sheet.text(8, top + 21, f"{temperature:g}", "strong start")
        shares = [p.data for p in softmax([z / temperature for z in logits])]
        area = left, top, across, high
        letter, _ = pieces(sheet, area, shares, letters, roll, "activation", room)
        sheet.text(WIDTH - 8, top + 50, begun + letter, "gradient strong end")
        rng = random.Random(1)
        names = [sample(model, tokenizer, rng, temperature) for _ in range(4)]
        sheet.label(left, top + 50, " ".join(names))
        x = left + across * roll
        sheet.line([(x, top - 8), (x, top + high + 4)], "gradient dashed")
    sheet.label(8, 22, "temperature")
    sheet.text(x, 22, "one roll of the die", "gradient small strong")


def going_round(sheet: Drawing) -> None:
    """A name comes out of the model: each token that is drawn is read next."""
    likeliest = 4
    top, apart, read_y = 34, 30, 206  # pixels
    model, tokenizer = load_model()
    name = sample(model, tokenizer, random.Random(42))
    tokens = tokenizer.document(name)
    cache = model.new_cache()
    called = [*tokenizer.characters, "end"]
    wide = WIDTH / (len(tokens) - 1)
    for place, (token, answer) in enumerate(pairwise(tokens)):
        p = [pi.data for pi in softmax(model.forward(token, cache))]
        best = sorted(range(len(p)), key=lambda i: -p[i])[:likeliest]
        if answer not in best:
            best[-1] = answer
        left, middle = wide * place + 6, wide * (place + 0.5)
        read, look = (called[token], "strong") if place else ("BOS", "small")
        sheet.block(middle - 26, read_y, 52, 38, read, f"data {look}", down=7)
        sheet.arrow((middle, read_y - 4), (middle, top + apart * likeliest + 10))
        for row, each in enumerate(best):
            y, drawn = top + apart * row, each == answer
            role = "gradient" if drawn else "activation"
            long = (wide - 56) * p[each] / max(p)
            sheet.label(left, y + 18, called[each], role)
            sheet.box(left + 28, y + 3, long, 20, role, strength=0.9 if drawn else 0.4)
            if drawn and answer != tokenizer.bos:
                end = middle + wide - 30, read_y + 18
                sheet.arrow((left + 32 + long, y + 14), end, "gradient", weight=2)


def cooling(sheet: Drawing) -> None:
    """What temperature does to three probabilities, from one that takes all to all alike."""
    logits = (2.0, 1.0, -1.0)
    cold, hot, steps = 0.1, 100.0, 90
    sheet.axes(Axis(cold, hot, 44, 400, tens=True), Axis(0, 1, 224, 24))
    sheet.levels((0, 0.5, 1), said="probability")
    sheet.foot((0.1, 0.5, 1, 10, 100), "g", "temperature")
    one = sheet.x(1)
    sheet.line([(one, sheet.y.end - 16), (one, sheet.y.start)], "dashed")
    sheet.label(one + 6, sheet.y.end - 8, "as trained")
    grid = [cold * (hot / cold) ** (i / steps) for i in range(steps + 1)]
    curves = [step1.softmax([z / t for z in logits]) for t in grid]
    roles, downs = ("activation", "attention", "gradient"), (-12, 5, 22)
    for i, (logit, role, down) in enumerate(zip(logits, roles, downs, strict=True)):
        points = [(t, p[i]) for t, p in zip(grid, curves, strict=True)]
        sheet.curve(points, role, said=f"logit {logit:g}", beside=(-1, 6, down))


def cut_off(sheet: Drawing) -> None:
    """Four shares on their way to the die: heated, cut twice, and shared out again."""
    shares = (0.4, 0.3, 0.2, 0.1)
    stages = ("model", "temperature ½", "top-k 3", "top-p 0.8")
    floor, unit = 170, 190  # pixels
    squares = [p**2 for p in shares]
    wide = WIDTH / len(stages)
    for stage, (said, kept) in enumerate(zip(stages, (4, 4, 3, 2), strict=True)):
        weights = list(squares if stage else shares)[:kept]
        left = wide * stage + 8
        sheet.line([(left, floor), (left + wide - 16, floor)], "soft")
        sheet.text(left + wide / 2 - 8, floor + 42, said, "small strong")
        for i, letter in enumerate("abcd"):
            x = left + 2 + 26 * i
            sheet.text(x + 11, floor + 20, letter, "small")
            if i >= kept:
                sheet.line([(x + 4, floor - 18), (x + 18, floor - 4)], "cost")
                sheet.line([(x + 4, floor - 4), (x + 18, floor - 18)], "cost")
                continue
            share, strength = weights[i] / sum(weights), 0.8 - 0.15 * i
            size, said = (22, unit * share), f"{100 * share:.0f}"
            sheet.column(x, floor, size, said, "activation", strength)


def the_end(sheet: Drawing) -> None:
    """How likely a name is to end after each of its letters: for a GPT, and for a table."""
    name = "marianna"
    floor, unit = 168, 160  # pixels
    model, tokenizer = load_model()
    _, _, counts = counted()
    cache = model.new_cache()
    model.forward(tokenizer.bos, cache)
    wide = WIDTH / len(name)
    sheet.line([(0, floor), (WIDTH, floor)], "soft")
    for place, token in enumerate(tokenizer.encode(name)):
        p = softmax(model.forward(token, cache))[tokenizer.bos].data
        q = probabilities(token, counts)[tokenizer.bos]
        middle = wide * (place + 0.5)
        for x, share, role in ((-23, p, "attention"), (2, q, "data")):
            size = 21, unit * share
            sheet.column(middle + x, floor, size, f"{100 * share:.0f}", role)
        sheet.text(middle, floor + 26, name[place], "large")
    meanings = ("GPT", "attention"), ("table of pairs", "data")
    sheet.legend((20, 110), floor + 45, meanings, 0.75)


def parrot(sheet: Drawing) -> None:
    """What a parrot, the table and the GPT pay on names they have read, and on others."""
    floor, nat, highest = 190, 54, 174  # pixels
    begin, apart, wide = 36, 152, 52
    seen = shuffled()[0][:1000]
    parrot = math.log(len(seen)) * len(seen) / sum(len(name) + 1 for name in seen)
    read, held_out = recorded("memorised")["seen"], recorded("held-out")
    rows = (
        ("a perfect parrot", parrot, math.inf),
        ("the table of pairs", read["step0"], held_out["step0"]),
        ("the GPT", read["step5"], held_out["step5"]),
    )
    sheet.line([(16, floor), (464, floor)], "soft")
    for i, (said, *losses) in enumerate(rows):
        x = begin + apart * i
        for place, loss in enumerate(losses):
            left, strength = x + place * (wide + 6), 0.25 if place else 0.8
            endless = math.isinf(loss)
            size = wide, min(highest, nat * loss)
            number = "" if endless else f"{loss:.2f}"
            sheet.column(left, floor, size, number, "data", strength)
            if endless:
                middle, top = left + wide / 2, floor - highest
                sheet.arrow((middle, 60), (middle, top + 2), "data", weight=3)
                sheet.text(middle, 84, "∞", "large")
        sheet.text(x + wide + 3, floor + 24, said, "small")


def forgetful(sheet: Drawing) -> None:
    """A run that stopped and went on: with all it needs, and with one mean forgotten."""
    stop_at, steps = 20, 50
    names = shuffled()[0][:50]
    config = Config(Tokenizer(names).vocab_size, n_embd=8, n_head=2)
    whole = list(Run(names, config, steps).train())
    sheet.axes(Axis(0, steps, 58, 454), Axis(-0.06, 0.11, 182, 29))
    sheet.levels((-0.05, 0, 0.05, 0.1), "+.2f", "nats")
    stop, level = sheet.x(stop_at), sheet.y(0)
    sheet.line([(stop, 20), (stop, 186)], "dashed")
    sheet.text(stop - 6, 14, "stopped here", "small end")
    run = Run(names, config, steps)
    before = list(run.train(stop=stop_at))
    adam = run.engine.optimizer  # type: ignore[attr-defined]
    adam.first = [0.0] * len(adam.first)
    losses = [*before, *run.train()]
    forgot = [(i, a - b) for i, (a, b) in enumerate(zip(losses, whole, strict=True))]
    sheet.curve(forgot[stop_at:], "cost")
    sheet.curve([(0, 0), (steps, 0)], "activation")
    sheet.label(sheet.x.start + 6, level + 20, "everything saved:", "activation")
    sheet.label(sheet.x.start + 6, level + 36, "no difference", "activation")
    sheet.text(sheet.x.end, 62, "m lost", "cost small end")
    sheet.arrow((stop, level), (sheet.x(stop_at + 1), 22), "gradient", weight=2.5)
    sheet.label(sheet.x(stop_at + 1) + 8, 14, "v lost: off this page", "gradient")
    sheet.foot(range(0, steps + 1, 10), "g", "steps", below=40)


def alphabet(sheet: Drawing) -> None:
    """Rows of a trained token embedding, between two alphabets that claim them."""
    shown = 5
    left, top, cell, apart = 108, 44, 16, 30  # pixels
    model, tokenizer = load_model()
    letters = tokenizer.characters
    rows = [[p.data for p in row] for row in model.weights["wte"][:shown]]
    most = max(abs(number) for row in rows for number in row)
    right = left + cell * len(rows[0])
    sheet.text(70, 22, "in the file", "small")
    sheet.text((left + right) / 2, 22, "rows of wte", "small")
    sheet.text(right + 38, 22, "turned round", "cost small")
    for i, row in enumerate(rows):
        y = top + apart * i
        sheet.text(30, y + 17, f"row {i}", "small soft")
        sheet.text(70, y + 17, letters[i], "data large")
        sheet.arrow((82, y + 12), (left - 6, y + 12))
        shades = [math.copysign(min(1.0, 0.06 + abs(n) / most), n) for n in row]
        sheet.cells(left, y, (cell, 25), [shades], "parameter", below="gradient")
        sheet.arrow((right + 26, y + 12), (right + 5, y + 12))
        sheet.text(right + 38, y + 17, letters[-1 - i], "cost large")


def whole_file(sheet: Drawing) -> None:
    """The file that holds the whole model: its pieces, as tall as they are long."""
    file = Path(__file__).parents[2] / "docs/downloads/gpt.py"
    piece = re.compile(r"(?:class|def) (\w+)")
    columns, wide, apart = 3, 150, 158  # how many; pixels
    unit, margin = 2.8, 6  # pixels, the first for a line
    steps = (  # the colour of each step, and what it explains
        ("data", "load_names Tokenizer"),
        ("parameter", "linear_decay"),
        ("gradient", "Value topological_order gaussian_matrix dot linear softmax"),
        ("attention", "rmsnorm Cache attend"),
        ("activation", "Config GPT"),
        ("cost", "Adam document_loss train"),
        ("", "imports sample main"),
    )
    lines = file.read_text("utf-8").splitlines()
    found = [(n, m[1]) for n, line in enumerate(lines) if (m := piece.match(line))]
    pieces = [(0, "imports"), *found, (len(lines), "")]
    tall = -(-len(lines) // columns)
    for (begin, name), (end, _) in pairwise(pieces):
        role = next(role for role, names in steps if name in names.split())
        for column in range(begin // tall, (end - 1) // tall + 1):
            top, low = max(begin, column * tall), min(end, (column + 1) * tall)
            x, y = 4 + apart * column, margin + unit * (top - column * tall)
            high = unit * (low - top) - 2
            sheet.box(x, y, wide, high, role, strength=0.45 if role else 0.1)
            if high > 17:
                said = name if top == begin else f"rest of {name}"
                sheet.text(x + wide / 2, y + high / 2 + 5, said, "small")
    y = margin + unit * tall + 18
    sheet.label(4, y + 12, "Step")
    for step, (role, _) in enumerate(steps):
        x = 60 + 60 * step
        sheet.box(x, y, 14, 14, role, strength=0.45 if role else 0.1)
        sheet.label(x + 19, y + 12, step)
