"""What stands on Home until the browser has trained: the run that it will repeat."""

from widgets.live_gpt.model import live_gpt
from widgets.trainer.model import recorded


def test_the_recorded_run_is_the_whole_gpt_and_learns() -> None:
    run = recorded("adam-30k")
    assert live_gpt() == {"run": run}
    first, last = run["evaluations"][0], run["evaluations"][-1]
    setup = run["facts"]["setup"]
    assert (setup["model"], setup["off"], last["seen"]) == ("gpt", [], setup["seen"])
    pairs = run["facts"]["bigramLoss"]
    assert pairs and first["heldOutLoss"] and last["heldOutLoss"]
    assert last["heldOutLoss"] < pairs < first["heldOutLoss"]
