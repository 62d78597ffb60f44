/** The model invents names: press once, and a name comes letter by letter. */

import { useEffect, useState } from "preact/hooks";
import { inDataset } from "../../parts/in_dataset.js";
import { roleOf } from "../../parts/kinds.js";
import { percent } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Generator, GeneratorParameters, GrownName, GrowPlace } from "../types.js";

/** Milliseconds from a prediction to the draw, and from the draw to the next prediction. */
const PACE = 330;
/** Names that are kept on the screen. */
const KEPT = 12;
/** Predictions that are put into words. */
const SAID = 3;
const SEEDS = 1e6;
const END = "end";

/** A name that comes. */
interface View {
  result: Generator;
  /** Which of its names. */
  which: number;
  /** Twice the letters that have been drawn; one less when the last has just been. */
  at: number;
}

const nameIn = ({ result, which }: View): string => (result.names[which] as GrownName).name;
/** Draws that make the name: its letters and, unless no more fit, its end. */
const drawsIn = (view: View): number => Math.min(nameIn(view).length + 1, view.result.longest);
const endOf = (view: View): number => 2 * drawsIn(view) - 1;

export default function InventNames(given: Given<GeneratorParameters, Generator>) {
  const python = usePython<GeneratorParameters, Generator>("generator", given);
  const begin: View = { result: given.result, which: 0, at: 0 };
  const [untouched] = useState<View>({ ...begin, at: endOf(begin) });
  const [view, show] = useState(untouched);
  const [playing, play] = useState(false);
  // The names of the page are used up, and Python has not come yet.
  const [waiting, wait] = useState(false);
  const [invented, keep] = useState([nameIn(view)]);
  const [said, say] = useState("");

  const { result, at } = view;
  const { names, places, tokens } = result;
  const { name, seed } = names[view.which] as GrownName;
  const bos = tokens.length - 1;
  const over = at >= endOf(view);
  const placeAt = (index: number): GrowPlace => places[name.slice(0, index)] as GrowPlace;
  const called = (token: number): string => (token === bos ? END : (tokens[token] as string));
  const drawnAt = (index: number): number => (index < name.length ? tokens.indexOf(name[index] as string) : bos);

  const finish = (done: View): void => {
    const made = nameIn(done);
    show({ ...done, at: endOf(done) });
    play(false);
    keep((older) => [made, ...older].slice(0, KEPT));
    say(`The name is “${made}”. ${inDataset(done.result.places[made] as GrowPlace)}`);
  };
  const start = (next: View): void => {
    wait(false);
    say("");
    show(next);
    play(true);
    // Python computes the next names while this one comes.
    const isLast = next.result === given.result || next.which === next.result.names.length - 1;
    if (isLast && python.result === next.result && !python.busy) more();
  };
  const more = (): void => python.ask({ seed: Math.floor(SEEDS * Math.random()) });
  const press = (): void => {
    if (playing || waiting) {
      play(false);
      wait(false);
      return say(`Stopped at “${name.slice(0, (at + 1) >> 1)}”.`);
    }
    if (python.result !== result) return start({ result: python.result, which: 0, at: 0 });
    if (view.which + 1 < names.length) return start({ ...view, which: view.which + 1, at: 0 });
    wait(true);
    if (!python.busy) more();
  };

  useEffect(() => {
    if (!playing) return;
    if (over || matchMedia("(prefers-reduced-motion: reduce)").matches) return finish(view);
    const timer = setTimeout(() => show({ ...view, at: at + 1 }), PACE);
    return () => clearTimeout(timer);
  }, [playing, view]);
  useEffect(() => {
    if (!waiting) return;
    if (python.result !== result) start({ result: python.result, which: 0, at: 0 });
    else if (!python.busy && python.retry !== null) wait(false);
  }, [waiting, python.result, python.busy]);

  // What the page begins with is a choice among many letters: at the end there is little to see.
  const place = view === untouched ? 1 : at >> 1;
  const drawn = (at + 1) >> 1;
  const { probabilities } = placeAt(place);
  const picked = drawn > place ? drawnAt(place) : null;
  const largest = Math.max(...probabilities);
  const likeliest = probabilities
    .map((p, token) => ({ p, token }))
    .toSorted((a, b) => b.p - a.p)
    .slice(0, SAID)
    .map(({ p, token }) => `${called(token)} ${percent(p)}`);
  const before = place === 0 ? "At the beginning" : `After “${name.slice(0, place)}”`;
  const { path, number, text } = result.source_line;
  const where = `Line ${number} of ${path}`;
  const made = result === given.result ? "when this page was built" : "in your browser";
  return (
    <div style={roleOf("activation")}>
      <ol class="letters" aria-label="The name, and how likely each letter was">
        {Array.from({ length: drawn }, (_, index) => {
          const token = drawnAt(index);
          return (
            <li class={token === bos ? "over" : ""}>
              <span class="letter">{called(token)}</span>
              <span class="p">{percent(placeAt(index).probabilities[token] as number)}</span>
            </li>
          );
        })}
        {picked === null && (
          <li class="open" aria-hidden="true">
            <span class="letter">?</span>
          </li>
        )}
      </ol>
      <p class="asked">{before}, the model gives:</p>
      <div class="columns" role="img" aria-label={`${before}, the likeliest: ${likeliest.join(", ")}`}>
        {probabilities.map((p, token) => (
          <span class={token === picked ? "column picked" : "column"}>
            <span class="room">
              {token === picked && <span class="p">{percent(p)}</span>}
              <span class="fill" style={{ height: `${Math.round((1000 * p) / largest) / 10}%` }} />
            </span>
            <span class="letter">{called(token)}</span>
          </span>
        ))}
      </div>
      <p class="says">
        {over ? (
          <>
            The name is <b>“{name}”</b>. {inDataset(placeAt(name.length))} Seed {seed}, drawn {made}.
          </>
        ) : (
          `${likeliest.join(", ")} …`
        )}
      </p>
      <div class="press controls">
        <button type="button" class="main" onClick={press}>
          {playing || waiting ? "Stop" : invented.length > 1 ? "Another name" : "Invent a name"}
        </button>
        <PythonStatus python={python} stop="Stop loading" />
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
      <p class={playing ? "source-line lit" : "source-line"}>
        {given.home ? (
          <a href={given.home.href} title={given.home.title}>
            {where}
          </a>
        ) : (
          where
        )}{" "}
        picks each letter: <code>{text}</code>
      </p>
      <ol class="invented controls" aria-label="Names invented so far, the newest first">
        {invented.map((one) => (
          <li>{one || <i>no letter</i>}</li>
        ))}
      </ol>
    </div>
  );
}
