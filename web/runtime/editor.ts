/** The editor of a block: CodeMirror, with what a block of twenty lines needs. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

export interface Editor {
  element: HTMLElement;
  readonly text: string;
  focus(): void;
  /** Mark the line that failed, counted from 1, or none. */
  mark(line: number | null): void;
}

interface Options {
  text: string;
  /** Its name for a screen reader. */
  label: string;
  run(): void;
  leave(): void;
  change(): void;
}

/** A key's command that leaves nothing for others to do. */
const handled = (act: () => void) => (): boolean => {
  act();
  return true;
};

/** The classes of Pygments, so that edited code looks as it did. */
const classes = tagHighlighter([
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

/** The look of a block that is not edited; docs/styles/code.css has the rest. */
const theme = EditorView.theme({
  "&": { fontSize: "inherit", color: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5", padding: "0.8em 1em" },
  ".cm-content": { padding: "0", caretColor: "var(--ink)", outline: "none" },
  ".cm-line": { padding: "0" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
});

const setMark = StateEffect.define<number | null>();
const mark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, transaction) {
    // The mark is about the code as it ran, so a change removes it.
    let next = transaction.docChanged ? Decoration.none : marked;
    for (const effect of transaction.effects) {
      if (!effect.is(setMark)) continue;
      const line = effect.value;
      next =
        line === null || line > transaction.state.doc.lines
          ? Decoration.none
          : Decoration.set(Decoration.line({ class: "wrong" }).range(transaction.state.doc.line(line).from));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Open an editor; the caller puts its element into the page. */
export function openEditor({ text, label, run, leave, change }: Options): Editor {
  const view = new EditorView({
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        python(),
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(classes),
        theme,
        mark,
        keymap.of([
          { key: "Shift-Enter", run: handled(run), preventDefault: true },
          { key: "Mod-Enter", run: handled(run), preventDefault: true },
          { key: "Escape", run: handled(leave) },
          indentWithTab,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.editorAttributes.of({ class: "highlight editor" }),
        // Editable text has the focus anyway; said in so many words, tools that check pages know it.
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change();
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
    mark: (line) => view.dispatch({ effects: setMark.of(line) }),
  };
}
