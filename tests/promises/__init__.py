"""One file for each promise of the guide; `docs/reference/promises.md` lists them."""
