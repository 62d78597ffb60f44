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
  /** With these, a bar can be picked by mouse, touch or arrow keys. */
  picked?: number | null;
  onPick?: (index: number) => void;
  /** With this, each bar is a button that does something at once, if it is more than nothing. */
  onTake?: (index: number) => void;
  /** What the bars show, in words; unique on the page. */
  label: string;
}

function Contents({ item, max, text, mute = false }: { item: Bar; max: number; text: string; mute?: boolean }) {
  const share = item.value > 0 ? Math.min(1, item.value / max) : 0;
  return (
    <>
      <span class="name" aria-hidden={mute}>
        {item.name}
      </span>
      <span class="track" aria-hidden="true">
        <span class="fill" style={{ width: `${Math.round(share * 1000) / 10}%` }} />
      </span>
      <span class="value" aria-hidden={mute}>
        {text}
      </span>
    </>
  );
}

export function Bars({ items, max, kind, format, room, picked = null, onPick, onTake, label }: Props) {
  const alive = useAlive();
  const texts = items.map(({ value }) => format(value));
  const widest = room ?? Math.max(...texts.map((text) => text.length));
  const classes = (item: Bar, index: number): string =>
    ["item", item.mark && "mark", item.value === 0 && "none", index === picked && "picked"].filter(Boolean).join(" ");
  const rows = (columns: number): string => String(Math.ceil(items.length / columns));
  const style = { ...roleOf(kind), "--halves": rows(2), "--thirds": rows(3), "--room": `${widest}ch` };
  if (onPick === undefined) {
    return (
      <ul class="bars" aria-label={label} style={style}>
        {items.map((item, index) => (
          <li class={classes(item, index)}>
            <Contents item={item} max={max} text={texts[index] as string} mute={alive && onTake !== undefined} />
            {onTake && (
              <button
                class="controls"
                type="button"
                aria-label={`Take ${item.name}, ${texts[index]}`}
                aria-disabled={!(item.value > 0)}
                onClick={() => item.value > 0 && onTake(index)}
              />
            )}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div class="bars" role="radiogroup" aria-label={label} style={style}>
      {items.map((item, index) => (
        <label class={classes(item, index)}>
          <input class="controls" type="radio" name={label} checked={index === picked} onInput={() => onPick(index)} />
          <Contents item={item} max={max} text={texts[index] as string} />
        </label>
      ))}
    </div>
  );
}
