/** Functions as they stand in the source, with the line that is about to run. */

import { useEffect, useRef } from "preact/hooks";
import type { SourceFunction } from "../widgets/types.js";

interface Props {
  /** Where the functions stand, for a screen reader. */
  file: string;
  functions: SourceFunction[];
  /** The line that is lit; 0 lights none. */
  line: number;
  /** The lines that have called the function of the lit one, and wait. */
  waiting?: number[];
}

const KEYWORDS = /\b(def|for|in|while|if|not|else|break|continue|yield|lambda|return|None)\b/;

function Code({ text }: { text: string }) {
  return <code>{text.split(KEYWORDS).map((part, index) => (index % 2 ? <b class="k">{part}</b> : part))}</code>;
}

/** On a phone a few lines are in view, and the lit one among them. */
export function Listing({ file, functions, line, waiting = [] }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const lit = list.current?.querySelector<HTMLElement>(".lit");
    if (!list.current || !lit) return;
    list.current.scrollTop = lit.offsetTop - (list.current.clientHeight - lit.offsetHeight) / 2;
  }, [line, functions]);
  return (
    <div class="beside">
      <div class="code highlight" ref={list} tabIndex={0} role="group" aria-label={`Lines of ${file}`}>
        {functions.map(({ lines }) => (
          <div class="function">
            {lines.map(({ number, text }) => {
              const indent = text.length - text.trimStart().length;
              const lit = number === line;
              const kind = lit ? "lit" : waiting.includes(number) ? "waiting" : "";
              return (
                <div class={`line ${kind}`} aria-current={lit ? "step" : undefined}>
                  <span class="number" aria-hidden="true">
                    {number}
                  </span>
                  {kind && <span class="sr-only">{lit ? "runs now:" : "waits:"} </span>}
                  <span class="text" style={{ paddingLeft: `${indent + 2}ch` }}>
                    <Code text={text.trimStart()} />
                  </span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
