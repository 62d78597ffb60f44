/** The messages between a page, its Python worker and the service worker. */

/** How a run of blocks ended: `error` is the name of the exception that was raised; it is empty if none was. */
export interface RunResult {
  error: string;
  traceback: string;
  /** Index, in the run, of the block that raised, and the line in it. */
  block: number | null;
  line: number | null;
  /** What an exercise still lacks; empty once it is solved. */
  hint: string;
}

/** What a widget's Python function returned, or what is wrong with its arguments; `position` is a character in their text. */
export type WidgetAnswer<Result> = { result: Result } | { error: { reason: string; position: number | null } };

/** The part of Python that the Python worker has loaded, from 0 to 1. */
export interface LoadingEvent {
  kind: "loading";
  fraction: number;
}

/** What the Python worker reports during a run, in order, before its answer. */
export type RunEvent =
  /** The block with this index in the run begins. */
  | { kind: "begin"; block: number }
  /** The block has printed. */
  | { kind: "print"; block: number; text: string };

/**
 * What a page calls in its Python worker, through Comlink. The page interrupts a call by revoking `interruptUrl`, the
 * URL of a blob of its own; the answer is then null.
 */
export interface PythonWorker {
  /**
   * Load Python and the guide's packages; return whether a saved snapshot of its memory could be used.
   *
   * @param pythonArchiveUrl - the archive of Python packages
   * @param lockName - a lock that the worker holds while it lives: browsers don't report the death of a worker
   * @param mayStore - whether to save a snapshot of its memory for the next start
   */
  load(pythonArchiveUrl: string, lockName: string, mayStore: boolean): Promise<boolean>;
  /** Run blocks one after another in one new namespace; then check the exercise, if they are its program. */
  runBlocks(blocks: string[], interruptUrl: string, exercise?: string): Promise<RunResult | null>;
  /** Call the function `name` of the module `widgets.name.model`. */
  callWidget(name: string, parameters: object, interruptUrl: string): Promise<WidgetAnswer<unknown> | null>;
}

// A page and a service worker can be of different editions of the guide, so the field names and strings of the types
// below must stay as they are.

/** What the service worker has saved on this device. */
export interface OfflineStatus {
  /** Whether all pages are saved, with everything they need but Python. */
  text: boolean;
  python: boolean;
  /** Size of Python in bytes. */
  pythonSize: number;
  /** Progress of the download in bytes; null when there is none. */
  fetching: { done: number; of: number } | null;
  /** Why the last download failed; null if it did not. */
  trouble: "no room" | "interrupted" | null;
}

/** A page's request to the service worker: save this part of the guide, or with "nothing" delete all that is saved. */
export type OfflineRequest = "text" | "python" | "everything" | "nothing";

/** The service worker’s message to pages: what is saved for offline reading, or a request to reload. */
export type OfflineStatusOrReload = { kept: OfflineStatus } | { reload: true };
