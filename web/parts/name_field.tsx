/** A name that the reader types or picks, for widgets that answer at once. */

import { useRef, useState } from "preact/hooks";
import { Choices } from "./choices.js";
import { refusal } from "./refusal.js";
import { TextField } from "./text_field.js";

interface Name {
  /** As it stands in the field. */
  asked: string;
  /** The last one that was not refused. */
  name: string;
  /** Why what stands in the field is refused; empty if it is not. */
  reason: string;
  ask(name: string): void;
}

/** The last name that was not refused, and why what stands in a field is, if it is. */
export function useReadable(
  asked: string,
  first: string,
  refuse: (name: string) => string = (name) => refusal(name),
): Pick<Name, "name" | "reason"> {
  const name = useRef(first);
  const reason = refuse(asked);
  if (!reason) name.current = asked;
  return { name: name.current, reason };
}

export function useName(first: string, refuse?: (name: string) => string): Name {
  const [asked, ask] = useState(first);
  return { asked, ask, ...useReadable(asked, first, refuse) };
}

interface Props {
  /** Unique on the page. */
  id: string;
  field: Name;
  examples: string[];
}

export function NameField({ id, field, examples }: Props) {
  const { asked, ask, reason } = field;
  return (
    <>
      <TextField
        id={id}
        label="A name"
        value={asked}
        onInput={ask}
        onEnter={ask}
        refusal={reason ? { reason } : null}
      />
      <Choices label="Names to type" choices={examples} value={asked} onChoose={ask} class="examples controls" />
    </>
  );
}
