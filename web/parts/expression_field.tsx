/** The field for an expression: examples to pick, a mark where a mistake stands. */

/** A part of a text, in characters: the first, and the one after the last. */
export type Span = [start: number, end: number];

export interface Example {
  name: string;
  expression: string;
}

interface Props {
  /** Unique on the page. */
  id: string;
  text: string;
  /** `wait` is true while the reader types and may not have finished. */
  onText(text: string, wait: boolean): void;
  examples: Example[];
  /** Why the text is refused, and at which character if that is known. */
  refusal: { reason: string; at: number | null } | null;
  /** A part of the text to point at. */
  here?: Span | null;
}

/** Python counts characters, JavaScript halves of some. */
export const characters = (text: string): string[] => Array.from(text);

function Marked({ text, span, kind }: { text: string; span: Span | null; kind: string }) {
  // A text that ends with a line break has one more line, which needs something in it.
  const all = characters(`${text} `);
  if (span === null) return <>{all.join("")}</>;
  const [start, end] = span;
  return (
    <>
      {all.slice(0, start).join("")}
      <mark class={kind}>{all.slice(start, end).join("")}</mark>
      {all.slice(end).join("")}
    </>
  );
}

export function ExpressionField({ id, text, onText, examples, refusal, here = null }: Props) {
  const at = refusal?.at ?? null;
  const wrong: Span | null = at === null ? null : [at, at + 1];
  return (
    <div class="expression controls">
      <div class="examples" role="group" aria-label="Examples">
        {examples.map(({ name, expression }) => (
          <button type="button" aria-pressed={text === expression} onClick={() => onText(expression, false)}>
            {name}
          </button>
        ))}
      </div>
      <label for={id}>Expression</label>
      <div class={refusal === null ? "field" : "field refused"}>
        <div class="text">
          <div class="mirror" aria-hidden="true">
            <Marked text={text} span={wrong ?? here} kind={wrong ? "wrong" : "here"} />
          </div>
          <textarea
            id={id}
            rows={1}
            value={text}
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            aria-invalid={refusal !== null}
            aria-describedby={`${id}-refusal`}
            onInput={(event) => onText(event.currentTarget.value, true)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              onText(event.currentTarget.value, false);
            }}
          />
        </div>
      </div>
      <p class="refusal" id={`${id}-refusal`} role="status">
        {refusal?.reason}
      </p>
    </div>
  );
}
