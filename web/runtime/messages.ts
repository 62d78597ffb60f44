/** What a page, its Python worker and the service worker say to each other. */

/** How a run of blocks ended: `error` names what was raised; it is empty if nothing was. */
export interface Outcome {
  error: string;
  traceback: string;
  /** The block that raised, counted from 0 in the run, and the line in it. */
  block: number | null;
  line: number | null;
  /** What an exercise still lacks; empty once it is solved. */
  hint: string;
}

/** What a Python function of a widget gave, or why its arguments are refused. */
export type Answer<Result> = { result: Result } | { refused: { reason: string; at: number | null } };

/** What the worker tells while it works, in order, before the answer. */
export type Report =
  /** How far the loading of Python has come, from 0 to 1. */
  | { report: "loading"; share: number }
  /** A block begins: its position in the run. */
  | { report: "begin"; block: number }
  /** A block has printed. */
  | { report: "print"; block: number; text: string };

/** What a page asks of the worker; Comlink carries it. The page stops a run by dropping `pass`, the address of a blob. */
export interface PythonWorker {
  /**
   * Load Python and the archive of packages at this address; `keep` its memory for the next
   * start, and tell whether that of an earlier one was there. As long as the worker lives it
   * holds the lock `life`: a browser does not tell when a worker has died.
   */
  load(packages: string, life: string, keep: boolean): Promise<boolean>;
  /**
   * Run blocks one after another, in one namespace that begins empty, and then check
   * the exercise whose program they are.
   */
  run(blocks: string[], pass: string, exercise?: string): Promise<Outcome | null>;
  /** Call the function `name` of the module `widgets.name.model`. */
  call(name: string, parameters: object, pass: string): Promise<Answer<unknown> | null>;
}

/** What the service worker keeps on this device, as it tells every page. */
export interface Kept {
  /** Whether it has all pages, with all that they need but Python. */
  text: boolean;
  python: boolean;
  /** What Python weighs, in bytes. */
  pythonSize: number;
  /** How far the fetching has come, in bytes; null when nothing is fetched. */
  fetching: { done: number; of: number } | null;
  /** Why the last fetching did not end well. */
  trouble: "no room" | "interrupted" | null;
}

/** What a page asks the service worker to keep. */
export type Wish = "text" | "python" | "everything" | "nothing";

/** What the service worker tells a page. */
export type News = { kept: Kept } | { reload: true };
