/** The editor that blocks of code have, for a widget: loaded when the reader asks for it. */

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Editor } from "../runtime/editor.js";

interface Options {
  /** Its name for a screen reader. */
  label: string;
  /** Shift+Enter was pressed. */
  run(text: string): void;
  /** Escape was pressed. */
  leave(): void;
}

export interface CodeEditor {
  /** Where the editor goes. */
  place: RefObject<HTMLDivElement | null>;
  state: "closed" | "loading" | "open";
  /** Open it with a text, or put another text into it. */
  open(text: string, focus: boolean): void;
  close(): void;
  /** The text as it stands; null while it is closed. */
  text(): string | null;
  /** Mark the line that failed, counted from 1, or none. */
  mark(line: number | null): void;
}

export function useEditor({ label, run, leave }: Options): CodeEditor {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [state, setState] = useState<CodeEditor["state"]>("closed");
  const now = useRef({ run, leave });
  now.current = { run, leave };
  const close = (): void => {
    editor.current?.element.remove();
    editor.current = null;
    setState("closed");
  };
  useEffect(() => close, []);
  const open = async (text: string, focus: boolean): Promise<void> => {
    if (editor.current === null) setState("loading");
    const { openEditor } = await import("../runtime/editor.js");
    editor.current?.element.remove();
    const opened = openEditor({
      text,
      label,
      run: () => now.current.run(opened.text),
      leave: () => now.current.leave(),
      change: () => {},
    });
    editor.current = opened;
    place.current?.append(opened.element);
    setState("open");
    if (focus) opened.focus();
  };
  return {
    place,
    state,
    open: (text, focus) => void open(text, focus),
    close,
    text: () => editor.current?.text ?? null,
    mark: (line) => editor.current?.mark(line),
  };
}
