/**
 * Rewrites what a reader types into the query of the search, and so decides how much each word counts when results are
 * ranked; weave/publish/search_index.py decides how much each page and section counts.
 *
 * It wraps the theme's search worker, which hands queries to lunr, whose query language takes `--engine` for "without
 * engine" and `module:name` for a field. Here a name in code is a name: `Value.__add__` searches for both its parts. The
 * exact word counts most; its other forms, longer words that begin with it and words with a letter or two wrong count
 * less, and stop words such as "why" don't count beside other words. Synonyms are searched for as well.
 */

import SYNONYMS from "./synonyms.json";

/** The theme's numbers for its types of messages. */
const SETUP_MESSAGE_TYPE = 0;
const QUERY_MESSAGE_TYPE = 2;
const RESULT_MESSAGE_TYPE = 3;
interface SearchMessage {
  type: number;
  data: unknown;
}

/** A section that matches; `terms` says for each term of the query whether the section has it. */
interface FoundSection {
  text: string;
  terms: Record<string, boolean>;
}

/** A global of the theme's worker. */
declare const lunr: {
  stopWordFilter(word: string): string | undefined;
  stemmer(token: unknown): { toString(): string };
  Token: new (text: string) => unknown;
  TokenSet: { prototype: LunrTokenSet };
};
/** A node of lunr's tree of words: which letter leads to which other node. */
interface LunrTokenSet {
  id: number;
  final: boolean;
  edges: Record<string, LunrTokenSet>;
  _str?: string;
  toString(): string;
}

const THEME_WORKER_PATTERN = /^\?(javascripts\/workers\/search\.\w+\.min\.js)$/;
/** What separates words and the parts of names; includes the operators of lunr's queries. */
const WORD_SEPARATORS = /[^\p{L}\p{N}_√]+/u;
/** How many times as much as a stem the exact word counts, and a term that a page explains. */
const EXACT_WORD_BOOST = 5;
const EXPLAINED_TERM_BOOST = 20;

/** The terms that pages explain, as the index writes them: `kv_cache`, and `option_engine` for `--engine`. */
let explainedTerms = new Set<string>();

const splitWords = (text: string): string[] => text.toLowerCase().split(WORD_SEPARATORS).filter(Boolean);
const stemWord = (word: string): string => lunr.stemmer(new lunr.Token(word)).toString();
const boostWords = (words: string[], factor = EXACT_WORD_BOOST): string[] => words.map((word) => `${word}^${factor}`);

/** Return the words of a text without stop words, unless it has only those. */
function significantWords(text: string): string[] {
  const words = splitWords(text);
  const significant = words.filter((word) => lunr.stopWordFilter(word));
  return significant.length ? significant : words;
}

/** Return the phrases of two or three words and the `--options` of a text that a page explains. */
function findExplainedTerms(text: string): string[] {
  const words = splitWords(text);
  const phrases = words.flatMap((_, i) => [2, 3].map((n) => words.slice(i, i + n)));
  const options = (text.match(/(?<=--)[a-z-]+/g) ?? []).map((option) => ["option", ...splitWords(option)]);
  return [...new Set([...phrases, ...options].map((parts) => parts.join("_")))].filter((term) =>
    explainedTerms.has(term),
  );
}

/** Return the terms to search for a word: the word itself, boosted, then its stem and similar words. */
function queryTerms(word: string): string[] {
  // Short words are similar to too many others, and names in code are rarely mistyped.
  const fuzzy = /^\p{L}{5,}$/u.test(word) ? [`${word}~${word.length < 8 ? 1 : 2}`] : [];
  return [...boostWords([word]), stemWord(word), ...fuzzy];
}

/** Return lunr's query for a text that a reader has typed. */
function buildQuery(text: string): string {
  // Of `microgpt.autograd:Value.log` the last two parts are required: titles hold those.
  const names = text.split(/[\s"]+/).flatMap((name) => (/\w[.:]\w/.test(name) ? splitWords(name).slice(-2) : []));
  const paddedText = ` ${splitWords(text).join(" ")} `;
  const synonyms = Object.keys(SYNONYMS)
    .filter((phrase) => paddedText.includes(` ${phrase} `))
    .map((phrase) => (SYNONYMS as Record<string, string>)[phrase] as string);
  return [
    ...names.map((name) => `+${name}`),
    ...significantWords(text).flatMap(queryTerms),
    ...boostWords(synonyms.flatMap(significantWords)),
    ...boostWords([text, ...synonyms].flatMap(findExplainedTerms), EXPLAINED_TERM_BOOST),
  ].join(" ");
}

addEventListener("message", (event) => {
  const message = (event as MessageEvent).data as SearchMessage;
  if (message.type === SETUP_MESSAGE_TYPE) {
    const { docs } = message.data as { docs: { terms?: string }[] };
    explainedTerms = new Set(docs.flatMap(({ terms }) => terms?.toLowerCase().split(" ") ?? []));
  }
  if (message.type === QUERY_MESSAGE_TYPE) message.data = buildQuery(message.data as string);
});

const originalPostMessage = postMessage.bind(self) as (message: SearchMessage) => void;
(self as unknown as { postMessage: typeof originalPostMessage }).postMessage = (message) => {
  if (message.type === RESULT_MESSAGE_TYPE) {
    for (const item of (message.data as { items: FoundSection[][] }).items.flat()) {
      // The theme would list variants of words as missing, and show a text without marked words in full.
      item.terms = Object.fromEntries(Object.entries(item.terms).filter(([, found]) => found));
      if (!item.text.includes("<mark")) item.text = /<(\w+)>.*?<\/\1>/s.exec(item.text)?.[0] ?? "";
    }
  }
  originalPostMessage(message);
};

const themeWorkerPath = THEME_WORKER_PATTERN.exec(location.search)?.[1];
if (themeWorkerPath) {
  (self as unknown as { importScripts(url: string): void }).importScripts(themeWorkerPath);
  // lunr merges nodes that read alike, and puts nothing between a letter and the number of its node, so "1" with node 12
  // reads like "11" with node 2. Then words appear that no page has, and a search for them fails (lunr's issue 503).
  lunr.TokenSet.prototype.toString = function (): string {
    const edges = Object.entries(this.edges).map(([letter, { id }]) => `${letter}${id}`);
    return this._str ?? [Number(this.final), ...edges.sort()].join(" ");
  };
}
