"""The run that Home shows until the browser has trained."""

from widgets.live_gpt.model import live_gpt
from widgets.trainer.model import recorded_run


def test_live_gpt_returns_the_run_of_a_whole_gpt_that_beats_the_table() -> None:
    run = recorded_run("adam-30k")
    assert live_gpt() == {"run": run}
    first, last = run["evaluations"][0], run["evaluations"][-1]
    setup = run["facts"]["setup"]
    assert (setup["model"], setup["disabledParts"]) == ("gpt", [])
    assert last["namesSeen"] == setup["namesToSee"]
    bigram_loss = run["facts"]["bigramLoss"]
    assert bigram_loss and first["heldOutLoss"] and last["heldOutLoss"]
    assert last["heldOutLoss"] < bigram_loss < first["heldOutLoss"]
