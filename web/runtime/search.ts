/**
 * Stands before the theme's search, in its worker, and reads what readers type.
 *
 * The theme hands queries to lunr, whose own language takes `--engine` for "without
 * engine" and `module:name` for a field. Here a name in code is a name: `Value.__add__`
 * asks for both its parts. A word counts most as it was typed, and a little in other forms
 * and as the beginning of others; "why" and the like don't count beside other words. What
 * the guide calls by another name is searched for by both, and what is found nowhere once
 * more with a letter or two wrong.
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
let typed = "";
/** Words that were found nowhere, once that is known. */
let mistyped: string[] | undefined;

const parts = (text: string): string[] => text.toLowerCase().split(SIGNS).filter(Boolean);
const stem = (word: string): string => lunr.stemmer(new lunr.Token(word)).toString();
const exactly = (words: string[], times = TYPED): string[] => words.map((word) => `${word}^${times}`);

/** The words of a text that count. */
function wordsOf(text: string): string[] {
  const all = parts(text);
  const some = all.filter((word) => lunr.stopWordFilter(word));
  return some.length ? some : all;
}

/** What is called otherwise in the guide, and how. */
function otherwise(text: string): [string, string][] {
  const padded = ` ${parts(text).join(" ")} `;
  return Object.entries(SYNONYMS).filter(([phrase]) => padded.includes(` ${phrase} `));
}

/** Those words of a text, taken together or as an option, that a page explains. */
function terms(text: string): string[] {
  const all = parts(text);
  const together = all.flatMap((_, i) => [2, 3].map((n) => all.slice(i, i + n)));
  const options = (text.match(/(?<=--)[a-z-]+/g) ?? []).map((option) => ["option", ...parts(option)]);
  return [...new Set([...together, ...options].map((words) => words.join("_")))].filter((term) => explained.has(term));
}

/** What lunr is to search for. */
function query(text: string): string {
  // Of `microgpt.autograd:Value.log` the last two must be there, as in its title.
  const names = text.split(/[\s"]+/).flatMap((name) => (/\w[.:]\w/.test(name) ? parts(name).slice(-2) : []));
  const words = wordsOf(text).flatMap((word) => {
    if (!mistyped?.includes(word)) return [...exactly([word]), stem(word)];
    // Short words are near to too many others.
    return word.length < 4 ? [] : `${word}~${word.length < 8 ? 1 : 2}`;
  });
  const meant = otherwise(text).map(([, name]) => name);
  return [
    ...names.map((name) => `+${name}`),
    ...words,
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
  if (message.type !== QUERY) return;
  typed = message.data as string;
  message.data = query(typed);
});

/** Tells what was found, unless it is worth another try. */
function finish(items: Item[]): boolean {
  const has = ({ terms }: Item, word: string) => {
    const found = Object.keys(terms).filter((term) => terms[term]);
    // `kv_cache` has both its words.
    return found.some((term) => term === stem(word) || [term, ...term.split("_")].includes(word));
  };
  const renamed = otherwise(typed).flatMap(([phrase]) => phrase.split(" "));
  const words = wordsOf(typed).filter((word) => !renamed.includes(word));
  if (!mistyped) {
    mistyped = words.filter((word) => lunr.stopWordFilter(word) && !items.some((item) => has(item, word)));
    if (mistyped.length) return false;
  }
  const wanted = words.filter((word) => !mistyped?.includes(word));
  for (const item of items) {
    // Results name as missing what is false here, and show all of a text without a mark.
    const found = Object.entries(item.terms).filter(([, found]) => found);
    const missing = wanted.filter((word) => !has(item, word)).map((word) => [word, false]);
    item.terms = Object.fromEntries([...found, ...missing]);
    if (!item.text.includes("<mark")) item.text = /<(\w+)>.*?<\/\1>/s.exec(item.text)?.[0] ?? "";
  }
  mistyped = undefined;
  return true;
}

const answer = postMessage.bind(self) as (message: Message) => void;
(self as unknown as { postMessage: typeof answer }).postMessage = (message) => {
  if (message.type !== RESULT || finish((message.data as { items: Item[][] }).items.flat())) answer(message);
  else dispatchEvent(new MessageEvent("message", { data: { type: QUERY, data: typed } satisfies Message }));
};

const theirs = THEIRS.exec(location.search)?.[1];
if (theirs) (self as unknown as { importScripts(url: string): void }).importScripts(theirs);
