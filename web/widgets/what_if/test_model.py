"""A verdict is what the recorded interval allows."""

from snippets.ready.verdicts import verdict


def test_a_verdict_needs_an_interval_without_zero() -> None:
    assert verdict([], 0.01, 0.02) == verdict([], -0.01, 0.02) == "can't tell"
    assert verdict([], 0.02, 0.01) == "higher"
    assert verdict([], -0.02, 0.01) == "lower"
    assert verdict([], 2.0, 0.01) == "much higher"
    assert verdict([None], None, None) == "breaks down"
