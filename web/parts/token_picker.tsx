/** One of the tokens to choose: by mouse, touch, arrow keys, or by typing its letter. */

import { useRef } from "preact/hooks";

interface Props {
  /** The name of each token, in order. */
  tokens: string[];
  picked: number | null;
  onPick: (token: number) => void;
  /** What is chosen, written above the tokens; unique on the page. */
  label: string;
}

export function TokenPicker({ tokens, picked, onPick, label }: Props) {
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const ends: Record<string, number> = { Home: 0, End: tokens.length - 1 };
    const token = ends[event.key] ?? tokens.indexOf(event.key);
    if (token < 0) return;
    event.preventDefault();
    onPick(token);
    group.current?.querySelectorAll("input")[token]?.focus();
  };
  return (
    <div class="tokens controls" role="radiogroup" aria-label={label} ref={group} onKeyDown={onKeyDown}>
      <p class="note" aria-hidden="true">
        {label}
      </p>
      <div class="all">
        {tokens.map((token, index) => (
          <label class={index === picked ? "button token picked" : "button token"}>
            <input type="radio" name={label} checked={index === picked} onInput={() => onPick(index)} />
            <span>{token}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
