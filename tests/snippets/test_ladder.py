"""The ladder holds together: programs that should agree do, and so do their records."""

import pytest

from microgpt import Value
from snippets import step0, step1, step2, step3, step4, step5
from snippets.records.runs import Quick
from tests.models import Start, recorded
from tests.thorough import nightly

PROGRAMS = {
    program.__name__.rpartition(".")[2]: program
    for program in (step0, step1, step2, step3, step4, step5)
}
WEIGHTS = {"step1": "step1-weights", "step3": "step3-weights"}
GPTS = ("step3", "step4", "step5")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_recorded_run_begins_as_the_program_does(name: str) -> None:
    assert len(recorded(name)) == 1000
    losses = Start(PROGRAMS[name]).losses(20)
    assert recorded(name)[:20] == pytest.approx(losses, rel=5e-6)
    if name in GPTS:  # other records were made by the engine over matrices
        quick = list(Quick(name).train(20))
        assert losses == pytest.approx(quick, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["step0", *(pytest.param(name, marks=nightly) for name in [*PROGRAMS][1:])]
)
def test_the_recorded_run_is_what_the_program_gives(name: str) -> None:
    program = Start(PROGRAMS[name])
    assert recorded(name) == pytest.approx(program.losses(1000), rel=5e-6)
    if name in WEIGHTS:
        for matrix, rows in recorded(WEIGHTS[name]).items():
            for row, kept in zip(program.weights[matrix], rows, strict=True):
                learnt = [w.data if isinstance(w, Value) else w for w in row]
                assert kept == pytest.approx(learnt, rel=1e-4, abs=1e-12)
