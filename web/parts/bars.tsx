/** A number for each of a few dozen names, such as the chances of all tokens, as bars. */

import { type Kind, roleOf } from "./kinds.js";
import { useAlive } from "./use_alive.js";

export interface Bar {
  name: string;
  /** From 0 to `max`; NaN where there is none. */
  value: number;
  /** It stands out, as the one that is asked for. */
  mark?: boolean;
}

interface Props {
  items: Bar[];
  /** The value of a full bar. */
  max: number;
  kind: Kind;
  format: (value: number) => string;
  /** The longest text of a value, in characters; as long as the longest now unless told. */
  room?: number;
  /** Each bar is a button, if it is more than nothing. */
  onTake(index: number): void;
  /** What the bars show, in words; unique on the page. */
  label: string;
}

export function Bars({ items, max, kind, format, room, onTake, label }: Props) {
  const alive = useAlive();
  const texts = items.map(({ value }) => format(value));
  const widest = room ?? Math.max(...texts.map((text) => text.length));
  const rows = (columns: number): string => String(Math.ceil(items.length / columns));
  const style = { ...roleOf(kind), "--halves": rows(2), "--thirds": rows(3), "--room": `${widest}ch` };
  const width = (value: number): string => `${Math.round(1000 * Math.min(1, Math.max(0, value || 0) / max)) / 10}%`;
  return (
    <ul class="bars" aria-label={label} style={style}>
      {items.map(({ name, value, mark }, index) => (
        <li class={["item", mark && "mark", value === 0 && "none"].filter(Boolean).join(" ")}>
          <span class="name" aria-hidden={alive}>
            {name}
          </span>
          <span class="track" aria-hidden="true">
            <span class="fill" style={{ width: width(value) }} />
          </span>
          <span class="value" aria-hidden={alive}>
            {texts[index]}
          </span>
          <button
            class="controls"
            type="button"
            aria-label={`Take ${name}, ${texts[index]}`}
            aria-disabled={!(value > 0)}
            onClick={() => value > 0 && onTake(index)}
          />
        </li>
      ))}
    </ul>
  );
}
