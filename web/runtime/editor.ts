/** The editor of a block: CodeMirror, with the few extensions that twenty lines of code need. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

/** An open editor. */
export interface Editor {
  element: HTMLElement;
  readonly text: string;
  focus(): void;
  /** Mark the line that failed, counted from 1; null removes the mark. */
  markLine(line: number | null): void;
}

interface EditorOptions {
  text: string;
  /** Accessible name. */
  label: string;
  onRun(): void;
  onLeave(): void;
  onChange(): void;
}

/** Return a command for a key binding; true tells CodeMirror that the key is handled. */
const keyCommand = (action: () => void) => (): boolean => {
  action();
  return true;
};

/** The CSS classes of Pygments, so that code looks the same in the editor. */
const pygmentsHighlighter = tagHighlighter([
  { tag: [tags.keyword, tags.moduleKeyword, tags.controlKeyword], class: "k" },
  { tag: tags.definitionKeyword, class: "k" },
  { tag: tags.operatorKeyword, class: "ow" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: tags.operator, class: "o" },
  { tag: tags.number, class: "mf" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: tags.special(tags.brace), class: "si" },
  { tag: tags.comment, class: "c1" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
]);

/** Styles that make the editor look like a block; docs/styles/code.css has the rest. */
const editorTheme = EditorView.theme({
  "&": { fontSize: "inherit", color: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.5", padding: "0.8em 1em" },
  ".cm-content": { padding: "0", caretColor: "var(--ink)", outline: "none" },
  ".cm-line": { padding: "0" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
});

const setMarkedLineEffect = StateEffect.define<number | null>();
const markedLineField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    // The mark belongs to the code that ran, so an edit removes it.
    let next = transaction.docChanged ? Decoration.none : marked;
    for (const effect of transaction.effects) {
      if (!effect.is(setMarkedLineEffect)) continue;
      const line = effect.value;
      next =
        line === null || line > transaction.state.doc.lines
          ? Decoration.none
          : Decoration.set(Decoration.line({ class: "error-line" }).range(transaction.state.doc.line(line).from));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Create an editor; the caller adds its element to the page. */
export function openEditor({ text, label, onRun, onLeave, onChange }: EditorOptions): Editor {
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        python(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(pygmentsHighlighter),
        editorTheme,
        markedLineField,
        keymap.of([
          { key: "Shift-Enter", run: keyCommand(onRun), preventDefault: true },
          { key: "Mod-Enter", run: keyCommand(onRun), preventDefault: true },
          { key: "Escape", run: keyCommand(onLeave) },
          indentWithTab,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.editorAttributes.of({ class: "highlight editor" }),
        // Editable text is focusable anyway, but axe wants the tabindex stated.
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange();
        }),
      ],
    }),
  });
  return {
    element: view.dom,
    get text() {
      return view.state.doc.toString();
    },
    focus: () => view.focus(),
    markLine: (line) => view.dispatch({ effects: setMarkedLineEffect.of(line) }),
  };
}
