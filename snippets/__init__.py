"""Whole programs to read, copy and run: one per step of the ladder."""
