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

/** What a run reports while it goes on. */
export interface Reports {
  /** A block begins: its position in the run. */
  begin(block: number): void;
  /** A block has printed. */
  print(block: number, text: string): void;
}

/** The worker's side of the conversation; Comlink carries it. */
export interface PythonWorker {
  /** Load Python and the package; rejects with a sentence for the reader. */
  load(packages: string, report: (loading: Loading) => void): Promise<void>;
  /** Run blocks one after another, in one namespace that begins empty. */
  run(
    blocks: string[],
    begin: Reports["begin"],
    print: Reports["print"],
  ): Promise<Outcome>;
  /** Call the function `name` of the module `widgets.name`. */
  call(name: string, parameters: object): Promise<Answer<unknown>>;
}

/** What the service worker keeps on this device, as it tells every page. */
export interface Kept {
  /** Pages kept, of all pages; `text` is true when they have all that they need. */
  pages: number;
  of: number;
  text: boolean;
  python: boolean;
  /** What Python weighs, in bytes. */
  pythonSize: number;
  /** How far the fetching has come, in files; null when nothing is fetched. */
  fetching: { done: number; of: number } | null;
  /** Why the last fetching did not end well. */
  trouble: Trouble | null;
}

export type Trouble = "no room" | "no storage" | "interrupted";

/** What a page asks of the service worker. */
export type Wish =
  /** A page is read: keep the text of all, or, where data is dear, what it has loaded. */
  | { wish: "text"; loaded: string[] }
  /** Python was loaded. */
  | { wish: "python" }
  | { wish: "everything" }
  | { wish: "nothing" }
  /** Take the place of the older edition, whose pages are open. */
  | { wish: "show" };

/** What the service worker tells a page. */
export type News = { kept: Kept } | { reload: true };
