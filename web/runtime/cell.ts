/** Blocks of code on a page (cells) that readers can run, edit, reset and stop. */

import type { Editor } from "./editor.js";
import { describeProgress, type PythonProgress, PythonUnavailableError, runBlocks, StoppedError } from "./python.js";
import { allStorageKeys, loadItem, loadJson, saveItem } from "./storage.js";
import type { RunEvent } from "./worker-protocol.js";

const cellsByElement = new WeakMap<HTMLElement, Cell>();

/** Return the cell of an element; create it if there is none yet. */
export function getOrCreateCell(element: HTMLElement): Cell {
  const cell = cellsByElement.get(element) ?? new Cell(element);
  cellsByElement.set(element, cell);
  return cell;
}

// Copying takes the code as edited. This listener captures, because the theme's script reads the attribute afterwards.
document.addEventListener(
  "click",
  ({ target }) => {
    const button = (target as Element).closest(".cell:has(> .cell-toolbar) > .md-clipboard");
    if (button === null) return;
    button.setAttribute("data-clipboard-text", getOrCreateCell(button.parentElement as HTMLElement).program);
  },
  { capture: true },
);

/** The output below a cell. It is updated at most once per frame: print can be faster than the screen. */
class CellOutput {
  private pending = "";
  private frame = 0;
  /** All that was printed. */
  text = "";

  constructor(private readonly pre: HTMLPreElement) {}

  clear(): void {
    cancelAnimationFrame(this.frame);
    [this.frame, this.pending, this.text] = [0, "", ""];
    this.pre.firstElementChild?.replaceChildren();
  }

  print(text: string): void {
    this.pending += text;
    this.text += text;
    this.frame ||= requestAnimationFrame(() => this.flush());
  }

  /** Show pending output now. */
  flush(): void {
    cancelAnimationFrame(this.frame);
    this.pre.firstElementChild?.append(this.pending);
    [this.frame, this.pending] = [0, ""];
    this.pre.hidden = this.text === "";
  }

  printError(traceback: string): void {
    this.flush();
    const error = document.createElement("span");
    error.className = "error";
    error.textContent = traceback;
    this.pre.firstElementChild?.append(error);
    this.pre.hidden = false;
  }
}

/**
 * Return the storage key of a reader's edit: the original code, so that the edit outlasts a block that moves. Only Reset
 * removes it, because another edition of the guide may have the block again.
 */
const editStorageKey = (originalCode: string): string => `guide:block:${originalCode}`;

// Earlier editions saved edits by page and number of the block.
for (const key of allStorageKeys().filter((key) => /^guide:.*#block-\d+$/.test(key))) {
  const edit = loadJson<{ original: string; text: string }>(key);
  if (edit && loadItem(editStorageKey(edit.original)) === null && saveItem(editStorageKey(edit.original), edit.text))
    saveItem(key, null);
}

// Functions that blocks import, in one order: their names now, and until version 0.2. Before : or ." they are just words.
const IMPORTS = ["shuffled_names", "step0_setup", "step1_setup", "step2_setup", "step3_setup"];
const OLD_IMPORTS = ["shuffled", "counted", "untrained", "untrained_values", "untrained_attention"];

const replaceWords = (code: string, words: string[], newWords: string[]): string =>
  words.reduce((text, word, i) => text.replace(RegExp(`\\b${word}\\b(?!:|\\.")`, "g"), newWords[i] as string), code);

/** Return the saved edit of a block; null if there is none. An edit with old names gets the new. */
function loadEdit(originalCode: string): string | null {
  const key = editStorageKey(originalCode);
  const oldKey = editStorageKey(replaceWords(originalCode, IMPORTS, OLD_IMPORTS));
  const oldEdit = loadItem(oldKey);
  if (oldEdit === null || loadItem(key) !== null) return loadItem(key);
  const edit = replaceWords(oldEdit, OLD_IMPORTS, IMPORTS);
  if (saveItem(key, edit)) saveItem(oldKey, null);
  return edit;
}

/** A block of code with its bar of buttons and its output. */
class Cell {
  private readonly codeElement: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly statusElement: HTMLElement;
  private readonly progressBar: HTMLProgressElement;
  private readonly outputElement: HTMLPreElement;
  private readonly output: CellOutput;
  private readonly originalCode: string;
  private readonly originalOutput: string;
  private editor: Editor | null = null;
  private runController: AbortController | null = null;

  constructor(private readonly element: HTMLElement) {
    this.codeElement = findRequired(element, ".highlight");
    this.bar = findRequired(element, ".cell-toolbar");
    this.statusElement = findRequired(element, ".status");
    this.progressBar = findRequired(element, "progress");
    this.originalCode = (findRequired(element, ".highlight code").textContent ?? "").trimEnd();
    this.outputElement = element.querySelector<HTMLPreElement>("pre.output") ?? this.addOutput();
    this.originalOutput = this.outputElement.textContent ?? "";
    this.output = new CellOutput(this.outputElement);
    this.findButton("reset").onclick = () => this.reset();
  }

  /** The code, edited or not, after that of the cells that it continues. */
  get program(): string {
    return this.chainedCells()
      .map((cell) => `${cell.code.trimEnd()}\n`)
      .join("\n");
  }

  /** The name of the exercise that this cell solves, if it is for one. */
  private get exercise(): string | undefined {
    return this.element.dataset["exercise"];
  }

  /** The code, edited or not. */
  private get code(): string {
    return this.editor?.text ?? this.originalCode;
  }

  private get isEdited(): boolean {
    return this.code.trimEnd() !== this.originalCode;
  }

  /** Return the cells that this one continues, first to last, and then this one. */
  private chainedCells(): Cell[] {
    const previousId = this.element.dataset["continues"];
    const previous = previousId === undefined ? null : document.getElementById(previousId);
    return previous === null ? [this] : [...getOrCreateCell(previous).chainedCells(), this];
  }

  /** Run the cells that this one continues, and then this one, unless it is running already. */
  async run(): Promise<void> {
    if (this.runController) return;
    const chain = this.chainedCells();
    const startTime = performance.now();
    const controller = new AbortController();
    this.runController = controller;
    const stop = this.findButton("stop");
    // The second click of a double click on Run is not meant for Stop, which now has Run's place.
    stop.onclick = ({ detail }) => detail > 1 || controller.abort(new StoppedError());
    stop.hidden = false;
    if (document.activeElement === this.findButton("run")) stop.focus();
    this.findButton("run").hidden = true;
    this.setStatus("");
    for (const cell of chain) cell.markLine(null);
    this.showHint("");
    this.bar.classList.remove("solved");
    const onEvent = (event: RunEvent): void => {
      if (event.kind === "begin") {
        (chain[event.block] as Cell).output.clear();
        if (chain.length > 1) this.setStatus(`running, block ${event.block + 1} of ${chain.length}`);
      } else (chain[event.block] as Cell).output.print(event.text);
    };
    try {
      const codes = chain.map((cell) => cell.code);
      const onProgress = (progress: PythonProgress): void => this.showProgress(progress);
      const result = await runBlocks(codes, onEvent, onProgress, controller.signal, this.exercise);
      for (const cell of chain) cell.output.flush();
      if (result.block === null) {
        this.showHint(result.hint);
        this.bar.classList.toggle("solved", this.exercise !== undefined && result.hint === "");
        this.showResult("done", this.describeResult(chain, performance.now() - startTime, result.hint));
      } else {
        const failedCell = chain[result.block] as Cell;
        failedCell.output.printError(result.traceback);
        failedCell.markLine(result.line);
        const where = failedCell === this ? "" : " in a block above, which this one continues";
        const line = result.line === null ? "" : `, line ${result.line}`;
        this.showResult("failed", `${result.error}${where}${line}`);
      }
    } catch (error) {
      for (const cell of chain) cell.output.flush();
      if (this.runController !== controller) return; // Reset has restored the block
      if (error instanceof StoppedError) this.showResult("stopped", "stopped");
      else if (error instanceof PythonUnavailableError) this.showResult("failed", error.message);
      else throw error;
    } finally {
      if (this.runController === controller) {
        this.showRunButton();
        this.updateResetButton();
      }
    }
  }

  /** Show Run in place of Stop. */
  private showRunButton(): void {
    this.runController = null;
    const hasFocus = document.activeElement === this.findButton("stop");
    this.findButton("run").hidden = false;
    if (hasFocus) this.findButton("run").focus();
    this.findButton("stop").hidden = true;
  }

  /** Show what an exercise still lacks; an empty hint shows nothing. */
  private showHint(hint: string): void {
    const hintElement = this.element.querySelector(".hint");
    if (hintElement) hintElement.textContent = hint;
  }

  /** Return the status of a run without an exception: whether it solved the exercise, or printed what the page shows. */
  private describeResult(chain: Cell[], milliseconds: number, hint: string): string {
    const seconds = (milliseconds / 1000).toPrecision(2);
    if (this.exercise !== undefined) return hint === "" ? `solved, ${seconds} s` : "not yet";
    if (chain.some((cell) => cell.isEdited)) return `finished, ${seconds} s`;
    if (this.originalOutput === "") return `finished, nothing to print, ${seconds} s`;
    const isSame = this.output.text.trimEnd() === this.originalOutput.trimEnd();
    return isSame ? `same output, ${seconds} s` : `finished, output differs from the page’s, ${seconds} s`;
  }

  /** Open the editor in place of the code. */
  async edit(): Promise<void> {
    if (this.editor) return this.editor.focus();
    this.setStatus("loading the editor");
    const { openEditor } = await import("./editor.js");
    if (this.editor !== null) return;
    const savedEdit = loadEdit(this.originalCode);
    this.editor = openEditor({
      text: savedEdit ?? this.originalCode,
      label: `Code of ${this.element.id.replace("-", " ")}. Escape, then Tab, leaves the editor`,
      onRun: () => void this.run(),
      onLeave: () => this.findButton(this.runController ? "stop" : "run").focus(),
      onChange: () => this.saveEdit(),
    });
    this.codeElement.hidden = true;
    this.codeElement.after(this.editor.element);
    this.setStatus(
      savedEdit === null ? "Shift+Enter runs, Escape leaves" : "your edit from an earlier visit; Reset undoes it",
    );
    this.updateResetButton();
    this.editor.focus();
  }

  /** Save the reader's edit, or remove it if the code is the original again. */
  private saveEdit(): void {
    this.updateResetButton();
    if (!saveItem(editStorageKey(this.originalCode), this.isEdited ? this.code : null)) {
      this.setStatus("this browser has no room to save your edit: copy it before you leave the page");
    }
  }

  /** Restore the original code and output, and delete the saved edit. */
  private reset(): void {
    if (this.runController) {
      this.runController.abort(new StoppedError());
      this.showRunButton();
    }
    saveItem(editStorageKey(this.originalCode), null);
    this.editor?.element.remove();
    this.editor = null;
    this.codeElement.hidden = false;
    this.markLine(null);
    this.output.clear();
    this.output.print(this.originalOutput);
    this.output.flush();
    this.progressBar.hidden = true;
    delete this.bar.dataset["state"];
    this.showHint("");
    this.bar.classList.remove("solved");
    this.setStatus("reset to the original");
    this.findButton("reset").hidden = true;
    this.findButton("run").focus();
  }

  private updateResetButton(): void {
    this.findButton("reset").hidden = this.editor === null && this.bar.dataset["state"] === undefined;
  }

  private showProgress(progress: PythonProgress): void {
    this.bar.dataset["state"] = progress.kind;
    const share = progress.kind === "loading" ? progress.fraction : null;
    this.progressBar.hidden = share === null;
    if (share === 1) this.progressBar.removeAttribute("value");
    else this.progressBar.value = share ?? 0;
    this.setStatus(describeProgress(progress));
  }

  private showResult(state: string, sentence: string): void {
    this.progressBar.hidden = true;
    this.bar.dataset["state"] = state;
    this.setStatus(sentence);
  }

  /** Show a status in the bar; a screen reader reads it, once. */
  private setStatus(sentence: string): void {
    if (this.statusElement.textContent !== sentence) this.statusElement.textContent = sentence;
  }

  /** Mark a line of the code, counted from 1; null removes the mark. */
  private markLine(line: number | null): void {
    this.codeElement.querySelector(".error-line")?.classList.remove("error-line");
    if (this.editor) this.editor.markLine(line);
    else if (line !== null) this.codeElement.querySelectorAll("code > span[id]")[line - 1]?.classList.add("error-line");
  }

  private findButton(name: "run" | "stop" | "reset"): HTMLElement {
    return findRequired(this.bar, `.${name}`);
  }

  private addOutput(): HTMLPreElement {
    const pre = document.createElement("pre");
    [pre.className, pre.tabIndex, pre.hidden, pre.translate] = ["output", 0, true, false];
    pre.append(document.createElement("code"));
    this.element.append(pre);
    return pre;
  }
}

/**
 * Return the first match of a selector.
 *
 * @throws Error if there is none
 */
function findRequired<E extends HTMLElement>(element: HTMLElement, selector: string): E {
  const match = element.querySelector<E>(selector);
  if (match === null) throw new Error(`expected an element ${selector} in the cell ${element.id}, found none`);
  return match;
}
