"""The verdict about a switch follows from its recorded interval."""

from snippets.ready.verdicts import verdict


def test_verdict_is_undecided_if_the_interval_contains_zero() -> None:
    assert verdict(0.01, 0.02) == verdict(-0.01, 0.02) == "can't tell"
    assert verdict(0.02, 0.01) == "higher"
    assert verdict(-0.02, 0.01) == "lower"
    assert verdict(2.0, 0.01) == "much higher"
    assert verdict(None, None) == "breaks down"
