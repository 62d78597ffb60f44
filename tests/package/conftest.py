"""Hypothesis without a stopwatch: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("microgpt", deadline=None)
settings.load_profile("microgpt")
