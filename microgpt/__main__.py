"""`python -m microgpt`: the same program as `microgpt`."""

from microgpt.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
