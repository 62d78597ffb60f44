/** What a page and its Python worker say to each other. */

/** How far the loading of Python has come, in bytes. */
export interface Loading {
  loaded: number;
  total: number;
}

/** How a run of blocks ended: `traceback` is empty if nothing was raised. */
export interface Outcome {
  traceback: string;
  /** The block that raised, counted from 0 in the run, and the line in it. */
  block: number | null;
  line: number | null;
}

/** What a Python function of a widget gave, or why its arguments are refused. */
export type Answer<Result> =
  | { result: Result }
  | { refused: { reason: string; at: number | null } };

/** What the worker tells while it works, in order, before the answer. */
export type Report =
  | { report: "loading"; loading: Loading }
  /** A block begins: its position in the run. */
  | { report: "begin"; block: number }
  /** A block has printed. */
  | { report: "print"; block: number; text: string }
  /** A function that yields results has this one so far. */
  | { report: "result"; result: unknown };

/** What a page asks of the worker; Comlink carries it. */
export interface PythonWorker {
  /**
   * Load Python and the archive of packages at this address. As long as the worker
   * lives it holds the lock `life`: a browser does not tell when a worker has died.
   */
  load(packages: string, life: string): Promise<void>;
  /** Run blocks one after another, in one namespace that begins empty. */
  run(blocks: string[]): Promise<Outcome>;
  /**
   * Call the function `name` of the module `widgets.name`. A generator's results are
   * reported as they come; the last one is the answer.
   */
  call(name: string, parameters: object): Promise<Answer<unknown>>;
}
