"""What stands on Home until the browser has trained: the run that it will repeat."""

from widgets.live_gpt.model import live_gpt
from widgets.trainer.model import recorded


def test_the_recorded_run_is_the_whole_gpt_and_learns() -> None:
    run = recorded("adam-30k")
    assert live_gpt() == {"run": run}
    first, last = run["moments"][0], run["moments"][-1]
    setup = run["begun"]["setup"]
    assert (setup["model"], setup["off"], last["seen"]) == ("gpt", [], setup["seen"])
    pairs = run["begun"]["pairs"]
    assert pairs and first["heldOut"] and last["heldOut"]
    assert last["heldOut"] < pairs < first["heldOut"]
