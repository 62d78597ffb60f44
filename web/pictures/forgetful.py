"""A run that stopped and went on: with all it needs, and with one mean forgotten."""

from microgpt import Config, Run, Tokenizer
from pictures.chart import Axis, Chart
from snippets.ready import shuffled

STOP, STEPS = 20, 50
STEP, NATS = Axis(0, STEPS, 58, 454), Axis(-0.06, 0.11, 182, 29)


def draw() -> Chart:
    """Draw by how much each loss differs from that of the run that never stopped."""
    names = shuffled()[0][:50]
    config = Config(Tokenizer(names).vocab_size, n_embd=8, n_head=2)
    whole = list(Run(names, config, STEPS).train())
    sheet = Chart(226, STEP, NATS)
    sheet.levels((-0.05, 0, 0.05, 0.1), "+.2f", "nats")
    stop, level = STEP(STOP), NATS(0)
    sheet.line([(stop, 20), (stop, 186)], "dashed")
    sheet.text(stop - 6, 14, "stopped here", "small end")
    run = Run(names, config, STEPS)
    before = list(run.train(stop=STOP))
    adam = run.engine.optimizer  # type: ignore[attr-defined]
    adam.first = [0.0] * len(adam.first)
    losses = [*before, *run.train()]
    forgot = [(i, a - b) for i, (a, b) in enumerate(zip(losses, whole, strict=True))]
    sheet.curve(forgot[STOP:], "cost")
    sheet.curve([(0, 0), (STEPS, 0)], "activation")
    sheet.label(STEP.start + 6, level + 20, "everything saved:", "activation")
    sheet.label(STEP.start + 6, level + 36, "no difference", "activation")
    sheet.text(STEP.end, 62, "m lost", "cost small end")
    sheet.arrow((stop, level), (STEP(STOP + 1), 22), "gradient", weight=2.5)
    sheet.label(STEP(STOP + 1) + 8, 14, "v lost: off this page", "gradient")
    sheet.foot(range(0, STEPS + 1, 10), "g", "steps", below=40)
    return sheet
