/**
 * Stands before the theme's search, in its worker, and reads what readers type.
 *
 * The theme hands queries to lunr, whose own language takes `--engine` for "without
 * engine" and `module:name` for a field. Here a name in code is a name: `Value.__add__`
 * asks for both its parts. A word counts most as it was typed, and a little in other forms,
 * as the beginning of others and with a letter or two wrong; "why" and the like don't count
 * beside other words. What the guide calls by another name is searched for by both.
 */

import SYNONYMS from "./synonyms.json";

/** The theme's messages, by the numbers that it gives their types. */
const SETUP = 0;
const QUERY = 2;
const RESULT = 3;
interface Message {
  type: number;
  data: unknown;
}

/** A section that was found, and whether it has each word that lunr looked for. */
interface Item {
  text: string;
  terms: Record<string, boolean>;
}

/** The theme's worker shows its lunr to all. */
declare const lunr: {
  stopWordFilter(word: string): string | undefined;
  stemmer(token: unknown): { toString(): string };
  Token: new (text: string) => unknown;
};

const THEIRS = /^\?(javascripts\/workers\/search\.\w+\.min\.js)$/;
/** What separates the parts of a name, and what lunr would take for its own signs. */
const SIGNS = /[^\p{L}\p{N}_√]+/u;
/** How many times as much as a word that begins with its stem a word counts, and a term. */
const TYPED = 5;
const TERM = 20;

/** What pages explain, as the index has it: `kv_cache`, and `option_engine` for `--engine`. */
let explained = new Set<string>();

const parts = (text: string): string[] => text.toLowerCase().split(SIGNS).filter(Boolean);
const stem = (word: string): string => lunr.stemmer(new lunr.Token(word)).toString();
const exactly = (words: string[], times = TYPED): string[] => words.map((word) => `${word}^${times}`);

/** The words of a text that count. */
function wordsOf(text: string): string[] {
  const all = parts(text);
  const some = all.filter((word) => lunr.stopWordFilter(word));
  return some.length ? some : all;
}

/** Those words of a text, taken together or as an option, that a page explains. */
function terms(text: string): string[] {
  const all = parts(text);
  const together = all.flatMap((_, i) => [2, 3].map((n) => all.slice(i, i + n)));
  const options = (text.match(/(?<=--)[a-z-]+/g) ?? []).map((option) => ["option", ...parts(option)]);
  return [...new Set([...together, ...options].map((words) => words.join("_")))].filter((term) => explained.has(term));
}

/** A word as it was typed, in other forms, as the beginning of others, and with a letter or two wrong. */
function forms(word: string): string[] {
  // Short words are near to too many others, and names in code are not mistyped as often.
  const mistyped = /^\p{L}{5,}$/u.test(word) ? [`${word}~${word.length < 8 ? 1 : 2}`] : [];
  return [...exactly([word]), stem(word), ...mistyped];
}

/** What lunr is to search for. */
function query(text: string): string {
  // Of `microgpt.autograd:Value.log` the last two must be there, as in its title.
  const names = text.split(/[\s"]+/).flatMap((name) => (/\w[.:]\w/.test(name) ? parts(name).slice(-2) : []));
  const padded = ` ${parts(text).join(" ")} `;
  const meant = Object.keys(SYNONYMS)
    .filter((phrase) => padded.includes(` ${phrase} `))
    .map((phrase) => (SYNONYMS as Record<string, string>)[phrase] as string);
  return [
    ...names.map((name) => `+${name}`),
    ...wordsOf(text).flatMap(forms),
    ...exactly(meant.flatMap(wordsOf)),
    ...exactly([text, ...meant].flatMap(terms), TERM),
  ].join(" ");
}

addEventListener("message", (event) => {
  const message = (event as MessageEvent).data as Message;
  if (message.type === SETUP) {
    const { docs } = message.data as { docs: { terms?: string }[] };
    explained = new Set(docs.flatMap(({ terms }) => terms?.toLowerCase().split(" ") ?? []));
  }
  if (message.type === QUERY) message.data = query(message.data as string);
});

const answer = postMessage.bind(self) as (message: Message) => void;
(self as unknown as { postMessage: typeof answer }).postMessage = (message) => {
  if (message.type === RESULT) {
    for (const item of (message.data as { items: Item[][] }).items.flat()) {
      // Results name as missing what a query has beside what was typed, and show all of a text without a mark.
      item.terms = Object.fromEntries(Object.entries(item.terms).filter(([, found]) => found));
      if (!item.text.includes("<mark")) item.text = /<(\w+)>.*?<\/\1>/s.exec(item.text)?.[0] ?? "";
    }
  }
  answer(message);
};

const theirs = THEIRS.exec(location.search)?.[1];
if (theirs) (self as unknown as { importScripts(url: string): void }).importScripts(theirs);
