/** How an instrument stands, kept in the page's address: `?NAME.key=value`, so that it can be linked to. */

import { useEffect, useState } from "preact/hooks";

type Standing = Record<string, string | number | boolean>;

/** The address writes no sooner than this after the last change, in milliseconds: Safari counts. */
const REST = 400;

/** What the address asks for, as usual where it says nothing. Read it in a layout effect: before a reader can press. */
export function standing<State extends Standing>(name: string, usual: State): State {
  const asked = new URLSearchParams(location.search);
  const read = Object.entries(usual).map(([key, value]) => {
    const text = asked.get(`${name}.${key}`);
    if (text === null) return [key, value];
    if (typeof value === "boolean") return [key, text === "true"];
    if (typeof value === "string") return [key, text];
    return [key, text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : value];
  });
  return Object.fromEntries(read) as State;
}

/** The address of this page with an instrument as it stands; what is as usual is left out. */
export function addressOf(name: string, usual: Standing, now: Standing): URL {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries(now)) {
    address.searchParams.delete(`${name}.${key}`); // so that what is set stands in one order
    if (value !== usual[key]) address.searchParams.set(`${name}.${key}`, String(value));
  }
  return address;
}

/** Keep the address in step with an instrument, once its reader has changed something. */
export function useAddress(name: string, usual: Standing, now: Standing): void {
  const text = JSON.stringify(now);
  useEffect(() => {
    // Only when it writes does it read the address: another instrument or a jump may have changed it meanwhile.
    const timer = setTimeout(() => {
      const address = addressOf(name, usual, now);
      if (address.href !== location.href) history.replaceState(history.state, "", address);
    }, REST);
    return () => clearTimeout(timer);
  }, [text]);
}

/** Copies an address; where that is forbidden, shows it. */
export function CopyLink({ address, of }: { address(): URL; of: string }) {
  const [notice, setNotice] = useState("");
  const copy = async (): Promise<void> => {
    const { href } = address();
    const copied = await navigator.clipboard?.writeText(href).then(
      () => true,
      () => false,
    );
    setNotice(copied ? `The address of this ${of} is copied.` : href);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy a link
      </button>
      <span role="status">{notice}</span>
    </>
  );
}
