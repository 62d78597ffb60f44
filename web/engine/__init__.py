"""The C engine as WebAssembly, and what trains with it in a page."""
