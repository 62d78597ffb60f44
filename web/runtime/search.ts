/**
 * Stands before the theme's search, in its worker, and reads what readers type.
 *
 * The theme hands queries to lunr, whose own language takes `--engine` for "without
 * engine" and `module:name` for a field. Here a name in code is a name: `Value.__add__`
 * asks for both its parts. What is found nowhere is searched for once more with a letter
 * or two wrong.
 */

/** The theme's messages, by the numbers that it gives their types. */
const QUERY = 2;
const RESULT = 3;
interface Message {
  type: number;
  data: unknown;
}

const THEIRS = /^\?(javascripts\/workers\/search\.\w+\.min\.js)$/;
/** What separates the parts of a name, and what lunr would take for its own signs. */
const SIGNS = /[^\p{L}\p{N}_]+/u;

let typed = "";
let again = false;

/** What lunr is to search for. */
function query(text: string, wrong: boolean): string {
  return text
    .split(/[\s"]+/)
    .flatMap((word) => {
      const parts = word.split(SIGNS).filter(Boolean);
      // Of `microgpt.autograd:Value.log` the last two must be there, as in its title;
      // of several words as many as can be.
      const optional = parts.length === 1 ? 1 : parts.length - 2;
      return parts.map((part, place) => {
        if (!wrong) return `${place < optional ? "" : "+"}${part}*`;
        // Short words are near to too many others.
        return part.length < 4 ? part : `${part}~${part.length < 8 ? 1 : 2}`;
      });
    })
    .join(" ");
}

addEventListener("message", (event) => {
  const message = (event as MessageEvent).data as Message;
  if (message.type !== QUERY) return;
  if (!again) typed = message.data as string;
  message.data = query(typed, again);
});

const answer = postMessage.bind(self) as (message: Message) => void;
(self as unknown as { postMessage: typeof answer }).postMessage = (message) => {
  const empty = message.type === RESULT && (message.data as { items: unknown[] }).items.length === 0;
  if (empty && !again && typed.trim() !== "") {
    again = true;
    dispatchEvent(new MessageEvent("message", { data: { type: QUERY, data: typed } satisfies Message }));
    return;
  }
  again = false;
  answer(message);
};

const theirs = THEIRS.exec(location.search)?.[1];
if (theirs) (self as unknown as { importScripts(url: string): void }).importScripts(theirs);
