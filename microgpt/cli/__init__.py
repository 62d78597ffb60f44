"""The command line: a parser, and a command for each thing it can do."""
