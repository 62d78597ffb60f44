"""The command line, and what it needs besides the lesson: files, graphs, formulas."""
