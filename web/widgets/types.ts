// Written by `python -m weave update` from the functions beside it.

/** Evaluate an expression and call `backward` on its result. */
export interface GraphParameters {
  expression: string;
}

/** A graph of `Value`s after `backward`. */
export interface Graph {
  mermaid: string;
}
