/** A block of code on a page: runs, can be edited, reset and stopped. */

import type { Editor } from "./editor.js";
import type { Report } from "./messages.js";
import { Failure, inWords, run, type State, Stopped } from "./python.js";
import { keep, kept, keptJson, keptKeys } from "./storage.js";

const cells = new WeakMap<HTMLElement, Cell>();

/** The cell of an element, made when it is first asked for. */
export function cellOf(element: HTMLElement): Cell {
  const cell = cells.get(element) ?? new Cell(element);
  cells.set(element, cell);
  return cell;
}

// Copying takes the code as it stands. In the capturing phase this comes before the
// theme's script reads what is to be copied.
document.addEventListener(
  "click",
  ({ target }) => {
    const button = (target as Element).closest(".cell:has(> .bar) > .md-clipboard");
    if (button === null) return;
    button.setAttribute("data-clipboard-text", cellOf(button.parentElement as HTMLElement).program);
  },
  { capture: true },
);

/** Output arrives faster than a screen can show it; once a frame is enough. */
class Output {
  private arrived = "";
  private frame = 0;
  shown = "";

  constructor(private readonly pre: HTMLPreElement) {}

  clear(): void {
    cancelAnimationFrame(this.frame);
    [this.frame, this.arrived, this.shown] = [0, "", ""];
    this.pre.firstElementChild?.replaceChildren();
  }

  print(text: string): void {
    this.arrived += text;
    this.shown += text;
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  flush(): void {
    cancelAnimationFrame(this.frame);
    this.pre.firstElementChild?.append(this.arrived);
    [this.frame, this.arrived] = [0, ""];
    this.pre.hidden = this.shown === "";
  }

  fail(traceback: string): void {
    this.flush();
    const error = document.createElement("span");
    error.className = "error";
    error.textContent = traceback;
    this.pre.firstElementChild?.append(error);
    this.pre.hidden = false;
  }
}

/**
 * Where a reader's edit of a block is kept: by the code that it changes, on whatever page and in
 * whatever place that stands. Nothing but Reset removes it: an edition kept offline, or the next
 * one, may have the block again.
 */
const editKey = (original: string): string => `guide:block:${original}`;

// Edits were once kept by page and number of the block.
for (const key of keptKeys().filter((key) => /^guide:.*#block-\d+$/.test(key))) {
  const edit = keptJson<{ original: string; text: string }>(key);
  if (edit && kept(editKey(edit.original)) === null && keep(editKey(edit.original), edit.text)) keep(key, null);
}

class Cell {
  private readonly code: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly state: HTMLElement;
  private readonly progress: HTMLProgressElement;
  private readonly pre: HTMLPreElement;
  private readonly output: Output;
  private readonly original: string;
  private readonly originalOutput: string;
  private editor: Editor | null = null;
  private running: AbortController | null = null;

  constructor(private readonly element: HTMLElement) {
    this.code = find(element, ".highlight");
    this.bar = find(element, ".bar");
    this.state = find(element, ".state");
    this.progress = find(element, "progress");
    this.original = (find(element, ".highlight code").textContent ?? "").trimEnd();
    this.pre = element.querySelector<HTMLPreElement>("pre.output") ?? this.addOutput();
    this.originalOutput = this.pre.textContent ?? "";
    this.output = new Output(this.pre);
    this.button("reset").onclick = () => this.reset();
  }

  /** The code as it stands, after all that it needs. */
  get program(): string {
    return this.chain()
      .map((cell) => `${cell.text.trimEnd()}\n`)
      .join("\n");
  }

  private get id(): string {
    return this.element.id;
  }

  /** The exercise whose program this is, if it is one. */
  private get exercise(): string | undefined {
    return this.element.dataset["exercise"];
  }

  /** The code as it stands, changed or not. */
  private get text(): string {
    return this.editor?.text ?? this.original;
  }

  private get changed(): boolean {
    return this.text.trimEnd() !== this.original;
  }

  /** This cell and those that it continues, first to last. */
  private chain(): Cell[] {
    const above = this.element.dataset["continues"];
    const element = above === undefined ? null : document.getElementById(above);
    return element === null ? [this] : [...cellOf(element).chain(), this];
  }

  /** Run the block, and before it those that it continues; a second call does nothing. */
  async run(): Promise<void> {
    if (this.running) return;
    const chain = this.chain();
    const started = performance.now();
    const controller = new AbortController();
    this.running = controller;
    const stop = this.button("stop");
    // The second press of a double click on Run is not meant for what stands there now.
    stop.onclick = ({ detail }) => detail > 1 || controller.abort(new Stopped());
    stop.hidden = false;
    if (document.activeElement === this.button("run")) stop.focus();
    this.button("run").hidden = true;
    this.say("");
    for (const cell of chain) cell.mark(null);
    this.advise("");
    this.bar.classList.remove("solved");
    const hear = (report: Report): void => {
      if (report.report === "begin") {
        (chain[report.block] as Cell).output.clear();
        if (chain.length > 1) this.say(`running, block ${report.block + 1} of ${chain.length}`);
      } else if (report.report === "print") (chain[report.block] as Cell).output.print(report.text);
    };
    try {
      const codes = chain.map((cell) => cell.text);
      const outcome = await run(codes, hear, (state) => this.watch(state), controller.signal, this.exercise);
      for (const cell of chain) cell.output.flush();
      if (outcome.block === null) {
        this.advise(outcome.hint);
        this.bar.classList.toggle("solved", this.exercise !== undefined && outcome.hint === "");
        this.finish("done", this.verdict(chain, performance.now() - started, outcome.hint));
      } else {
        const failed = chain[outcome.block] as Cell;
        failed.output.fail(outcome.traceback);
        failed.mark(outcome.line);
        const where = failed === this ? "" : " in a block above, which this one continues";
        this.finish("failed", `${outcome.error}${where}${at(outcome.line)}`);
      }
    } catch (error) {
      for (const cell of chain) cell.output.flush();
      if (this.running !== controller) return; // Reset has brought the page back
      if (error instanceof Stopped) this.finish("stopped", "stopped");
      else if (error instanceof Failure) this.finish("failed", error.message);
      else throw error;
    } finally {
      if (this.running === controller) {
        this.rest();
        this.offerReset();
      }
    }
  }

  /** Run stands where Stop stood. */
  private rest(): void {
    this.running = null;
    const focused = document.activeElement === this.button("stop");
    this.button("run").hidden = false;
    if (focused) this.button("run").focus();
    this.button("stop").hidden = true;
  }

  /** Below an exercise: what it still lacks. */
  private advise(hint: string): void {
    const place = this.element.querySelector(".hint");
    if (place) place.textContent = hint;
  }

  /** What a finished run says: whether it did what the page says. */
  private verdict(chain: Cell[], milliseconds: number, hint: string): string {
    const seconds = (milliseconds / 1000).toPrecision(2);
    if (this.exercise !== undefined) return hint === "" ? `solved, ${seconds} s` : "not yet";
    if (chain.some((cell) => cell.changed)) return `finished, ${seconds} s`;
    if (this.originalOutput === "") return `finished, nothing to print, ${seconds} s`;
    const same = this.output.shown.trimEnd() === this.originalOutput.trimEnd();
    return same ? `same output, ${seconds} s` : `finished, another output than the page’s, ${seconds} s`;
  }

  /** Put an editor in the place of the code. */
  async edit(): Promise<void> {
    if (this.editor) return this.editor.focus();
    this.say("loading the editor");
    const { openEditor } = await import("./editor.js");
    if (this.editor !== null) return;
    const earlier = kept(editKey(this.original));
    this.editor = openEditor({
      text: earlier ?? this.original,
      label: `Code of ${this.id.replace("-", " ")}. Escape, then Tab, leaves the editor`,
      run: () => void this.run(),
      leave: () => this.button(this.running ? "stop" : "run").focus(),
      change: () => this.remember(),
    });
    this.code.hidden = true;
    this.code.after(this.editor.element);
    this.say(earlier === null ? "Shift+Enter runs, Escape leaves" : "your change of an earlier visit; Reset undoes it");
    this.offerReset();
    this.editor.focus();
  }

  private remember(): void {
    this.offerReset();
    if (!keep(editKey(this.original), this.changed ? this.text : null)) {
      this.say("this browser has no room to keep your change; it lasts until you leave the page");
    }
  }

  /** Bring back the page as it was. */
  private reset(): void {
    if (this.running) {
      this.running.abort(new Stopped());
      this.rest();
    }
    keep(editKey(this.original), null);
    this.editor?.element.remove();
    this.editor = null;
    this.code.hidden = false;
    this.mark(null);
    this.output.clear();
    this.output.print(this.originalOutput);
    this.output.flush();
    this.progress.hidden = true;
    delete this.bar.dataset["state"];
    this.advise("");
    this.bar.classList.remove("solved");
    this.say("as it was");
    this.button("reset").hidden = true;
    this.button("run").focus();
  }

  private offerReset(): void {
    this.button("reset").hidden = this.editor === null && this.bar.dataset["state"] === undefined;
  }

  private watch(state: State): void {
    this.bar.dataset["state"] = state.kind;
    const share = state.kind === "loading" ? state.share : null;
    this.progress.hidden = share === null;
    if (share === 1) this.progress.removeAttribute("value");
    else this.progress.value = share ?? 0;
    this.say(inWords(state));
  }

  private finish(state: string, sentence: string): void {
    this.progress.hidden = true;
    this.bar.dataset["state"] = state;
    this.say(sentence);
  }

  /** Say something in the bar, and to a screen reader, once. */
  private say(sentence: string): void {
    if (this.state.textContent !== sentence) this.state.textContent = sentence;
  }

  /** Mark a line of the code, or none. */
  private mark(line: number | null): void {
    this.code.querySelector(".wrong")?.classList.remove("wrong");
    if (this.editor) this.editor.mark(line);
    else if (line !== null) this.code.querySelectorAll("code > span[id]")[line - 1]?.classList.add("wrong");
  }

  private button(name: "run" | "stop" | "reset"): HTMLElement {
    return find(this.bar, `.${name}`);
  }

  private addOutput(): HTMLPreElement {
    const pre = document.createElement("pre");
    [pre.className, pre.tabIndex, pre.hidden, pre.translate] = ["output", 0, true, false];
    pre.append(document.createElement("code"));
    this.element.append(pre);
    return pre;
  }
}

function find<Found extends HTMLElement>(element: HTMLElement, selector: string): Found {
  const found = element.querySelector<Found>(selector);
  if (found === null) throw new Error(`a cell has no ${selector}`);
  return found;
}

function at(line: number | null): string {
  return line === null ? "" : `, line ${line}`;
}
