"""Training and sampling in a page, with the C engines compiled to WebAssembly."""
