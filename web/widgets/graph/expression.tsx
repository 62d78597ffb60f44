/** The field for an expression: examples to pick, a mark where a mistake stands. */

/** A part of a text, in characters: the first, and the one after the last. */
type Span = [start: number, end: number];

const EXAMPLES = [
  { name: "used twice", expression: "a = 2; b = 3; c = a + b; d = c * a" },
  { name: "doubled, doubled", expression: "a = 1; b = a + a; c = b + b" },
  { name: "paths that cancel", expression: "a = 2; b = a * a; c = b - 4 * a" },
  { name: "a closed relu", expression: "a = 2; b = -5; c = relu(a + b); d = c * a" },
  { name: "relu at its corner", expression: "x = 0; y = relu(x); z = 3 * y + x" },
  { name: "softplus", expression: "x = 1; y = log(1 + exp(x))" },
  { name: "squared error", expression: "x = 3; w = 0.5; b = 1; loss = (w * x + b - 4) ** 2" },
  { name: "sum of products", expression: "a = 1; b = 3; c = 2; d = -4; z = a * b + c * d" },
];

interface Props {
  /** Unique on the page. */
  id: string;
  text: string;
  /** `wait` is true while the reader types and may not have finished. */
  onText(text: string, wait: boolean): void;
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

export function ExpressionField({ id, text, onText, refusal, here = null }: Props) {
  const at = refusal?.at ?? null;
  const wrong: Span | null = at === null ? null : [at, at + 1];
  return (
    <div class="expression controls">
      <div class="examples" role="group" aria-label="Examples">
        {EXAMPLES.map(({ name, expression }) => (
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
