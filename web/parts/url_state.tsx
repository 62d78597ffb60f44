/** The state of a widget in the page's address, `?WIDGET.key=value`, so that readers can link to what they see. */

import { useEffect, useLayoutEffect, useState } from "preact/hooks";

type UrlState = Record<string, string | number | boolean>;
type UpdateState<State> = (change: Partial<State>) => void;

/** The address changes this long after the last change of the state: Safari allows 100 `replaceState` calls in 30 s. */
const DEBOUNCE_MS = 400;

/**
 * Read the state of a widget from the address; a key that the address lacks, or whose value has another type, has its
 * default. Call it in a layout effect, before a reader can press anything.
 */
export function readUrlState<State extends UrlState>(widget: string, defaults: State): State {
  const parameters = new URLSearchParams(location.search);
  const entries = Object.entries(defaults).map(([key, value]) => {
    const text = parameters.get(`${widget}.${key}`);
    if (text === null) return [key, value];
    if (typeof value === "boolean") return [key, text === "true"];
    if (typeof value === "string") return [key, text];
    return [key, text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : value];
  });
  return Object.fromEntries(entries) as State;
}

/** Return the address of this page with the state of a widget, without the values that are defaults. */
export function urlWithState(widget: string, defaults: UrlState, state: UrlState): URL {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(state)) {
    url.searchParams.delete(`${widget}.${key}`); // so that the keys always have the same order
    if (value !== defaults[key]) url.searchParams.set(`${widget}.${key}`, String(value));
  }
  return url;
}

/** Return a widget's state, read from the address after the first render, and a function that changes it. */
export function useUrlState<State extends UrlState>(widget: string, defaults: State): [State, UpdateState<State>] {
  const [state, setState] = useState(defaults);
  useLayoutEffect(() => setState(readUrlState(widget, defaults)), []);
  return [state, (change) => setState((previous) => ({ ...previous, ...change }))];
}

/** Write the state of a widget to the address whenever a reader has changed it. */
export function useSyncUrl(widget: string, defaults: UrlState, state: UrlState): void {
  const text = JSON.stringify(state);
  useEffect(() => {
    // The address is read only when it is written: another widget or a jump may have changed it meanwhile.
    const timer = setTimeout(() => {
      const url = urlWithState(widget, defaults, state);
      if (url.href !== location.href) history.replaceState(history.state, "", url);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
}

interface StateLinkProps {
  widget: string;
  defaults: UrlState;
  state: UrlState;
  subject: string;
}

/** Writes the state of a widget to the address, and renders a button that copies it. */
export function StateLink({ widget, defaults, state, subject }: StateLinkProps) {
  useSyncUrl(widget, defaults, state);
  return <CopyLinkButton getUrl={() => urlWithState(widget, defaults, state)} subject={subject} />;
}

/** A button that copies an address, or shows it where copying is forbidden; `subject` says what the address opens. */
export function CopyLinkButton({ getUrl, subject }: { getUrl(): URL; subject: string }) {
  const [message, setMessage] = useState("");
  const onClick = async (): Promise<void> => {
    const { href } = getUrl();
    const isCopied = await navigator.clipboard?.writeText(href).then(
      () => true,
      () => false,
    );
    setMessage(isCopied ? `The address of this ${subject} is copied.` : href);
  };
  return (
    <>
      <button type="button" onClick={() => void onClick()}>
        Copy a link
      </button>
      <span role="status">{message}</span>
    </>
  );
}
