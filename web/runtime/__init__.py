"""Scripts that pages load, and the Python that runs blocks in browsers."""
