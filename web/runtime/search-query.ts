/**
 * Rewrites what a reader types into the query of the search, and ranks what is found.
 *
 * It wraps the theme's search worker, which hands queries to lunr, whose query language takes `--engine` for "without
 * engine" and `module:name` for a field. Here a name in code is its parts: `Value.__add__` searches for both.
 * Words with a letter or two wrong are found as well, and stop words such as "why" don't count beside other words.
 *
 * lunr finds every section that has a word of the query. What ranks them is how well the query agrees with the section's
 * title, or with one of the phrases that weave/publish/search_index.py says readers type for the page: the cosine of the
 * two sets of words, in which rare words count more, and which forgives a title the words that the query lacks. Where
 * titles say nothing, lunr's own score decides.
 */

/** The theme's numbers for its types of messages. */
const SETUP_MESSAGE_TYPE = 0;
const QUERY_MESSAGE_TYPE = 2;
const RESULT_MESSAGE_TYPE = 3;
interface SearchMessage {
  type: number;
  data: unknown;
}

/** A page or section of the index; `terms` has phrases that readers type for it, and `rank` says how much it counts. */
interface IndexedSection {
  location: string;
  title: string;
  terms?: string;
  rank?: number;
}
/** A section that matches; `terms` says for each term of the query whether the section has it. */
interface FoundSection {
  location: string;
  text: string;
  score: number;
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
/** How many times as much as a stem the exact word counts. */
const EXACT_WORD_BOOST = 5;
/** How many times as much the agreement with a title counts as lunr's score. */
const TITLE_WEIGHT = 3;
/** How much a title loses for words that the query lacks: nothing at 0, and at ½ the agreement is a cosine. */
const TITLE_LENGTH_EXPONENT = 0.25;

/** For each location, the sets of stems of its title and phrases. */
const titlesByLocation = new Map<string, Set<string>[]>();
const rankByLocation = new Map<string, number>();
/** How many locations have a stem in a title or phrase. */
const titleCountByStem = new Map<string, number>();
/** Neighbours in titles, such as "pre norm", by the two as one word. */
const titleCompounds = new Map<string, string>();
let queryStems = new Set<string>();

const splitWords = (text: string): string[] => text.toLowerCase().split(WORD_SEPARATORS).filter(Boolean);
const stemWord = (word: string): string => lunr.stemmer(new lunr.Token(word)).toString();

/** Return the words of a text without stop words, unless it has only those. */
function significantWords(text: string): string[] {
  const words = splitWords(text);
  const significant = words.filter((word) => lunr.stopWordFilter(word));
  return significant.length ? significant : words;
}

/** Return whether two words differ by one letter: another, one more, one less, or two that have changed places. */
function differByOneLetter(a: string, b: string): boolean {
  const i = [...a].findIndex((letter, at) => letter !== b[at]);
  if (i < 0) return b.length === a.length + 1;
  const swapped = a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
  const rest = (word: string, skipped: number) => word.slice(i + skipped);
  return (
    swapped ||
    [
      [1, 1],
      [0, 1],
      [1, 0],
    ].some(([skipA = 0, skipB = 0]) => rest(a, skipA) === rest(b, skipB))
  );
}

/** Return the stem of a word of a query; a word in no title may be one of a title, mistyped. */
function stemTyped(word: string): string {
  const stem = stemWord(word);
  const mistyped = /^\p{L}{5,}$/u.test(word) && !titleCountByStem.has(stem);
  return (mistyped && [...titleCountByStem.keys()].find((known) => differByOneLetter(stem, known))) || stem;
}

/** Return a text with words as titles write them: "layer norm" as one word, "prenorm" as two. */
function likeTitles(text: string): string {
  const words = splitWords(text);
  for (const [i, word] of words.entries()) {
    const joined = word + (words[i + 1] ?? "");
    if (joined !== word && titleCountByStem.has(stemWord(joined))) words.splice(i, 2, joined);
    else if (!titleCountByStem.has(stemWord(word))) words[i] = titleCompounds.get(word) ?? word;
  }
  return words.join(" ");
}

/** Note the titles and phrases of all sections. */
function indexTitles(sections: IndexedSection[]): void {
  for (const { location, title, terms = "", rank = 1 } of sections) {
    const texts = [title.replace(/<[^>]*>/g, ""), ...terms.split(";")];
    const parts = texts.flatMap((text) => [text, ...text.split(":").slice(0, -1)]);
    const titles = parts.map((part) => new Set(significantWords(part).map(stemWord)));
    titlesByLocation.set(location, titles);
    rankByLocation.set(location, rank);
    for (const words of parts.map(splitWords))
      for (const [i, next] of words.slice(1).entries()) titleCompounds.set(`${words[i]}${next}`, `${words[i]} ${next}`);
    for (const stem of new Set(titles.flatMap((stems) => [...stems])))
      titleCountByStem.set(stem, (titleCountByStem.get(stem) ?? 0) + 1);
  }
}

/** Return the squared length of a set of stems, of which rare ones are longer. */
function squaredLength(stems: Iterable<string>): number {
  const weigh = (stem: string) => Math.log(1 + titlesByLocation.size / (titleCountByStem.get(stem) ?? 1)) ** 2;
  return [...stems].map(weigh).reduce((sum, weight) => sum + weight, 0);
}

/** Return how well the query agrees with a title or phrase of a location: at most about 2, times its rank. */
function titleAgreement(location: string, queryLength: number): number {
  const cosines = (titlesByLocation.get(location) ?? []).map((title) => {
    const common = [...title].filter((stem) => queryStems.has(stem));
    return squaredLength(common) / (queryLength * squaredLength(title) ** TITLE_LENGTH_EXPONENT || 1);
  });
  return Math.max(0, ...cosines) * (rankByLocation.get(location) ?? 1);
}

/** Sort the sections of each page, and the pages by their best section. */
function rankResults(pages: FoundSection[][]): void {
  const highest = Math.max(...pages.flat().map(({ score }) => score));
  const queryLength = Math.sqrt(squaredLength(queryStems));
  for (const section of pages.flat())
    section.score = section.score / highest + TITLE_WEIGHT * titleAgreement(section.location, queryLength);
  const bestScore = ([best]: FoundSection[]) => best?.score ?? 0;
  for (const sections of pages) sections.sort((a, b) => b.score - a.score);
  pages.sort((a, b) => bestScore(b) - bestScore(a));
}

/** Return the terms to search for a word: the word itself, boosted, and words like it that it may stand for. */
function queryTerms(word: string): string[] {
  // Short words are similar to too many others, names in code are rarely mistyped, and words of titles are none.
  const mistyped = /^\p{L}{5,}$/u.test(word) && !titleCountByStem.has(stemWord(word));
  return [`${word}^${EXACT_WORD_BOOST}`, ...(mistyped ? [`${word}~${word.length < 8 ? 1 : 2}`] : [])];
}

/** Return lunr's query for a text that a reader has typed. */
function buildQuery(text: string): string {
  return [...significantWords(text).flatMap(queryTerms), ...queryStems].join(" ");
}

addEventListener("message", (event) => {
  const message = (event as MessageEvent).data as SearchMessage;
  if (message.type === SETUP_MESSAGE_TYPE) indexTitles((message.data as { docs: IndexedSection[] }).docs);
  if (message.type === QUERY_MESSAGE_TYPE) {
    const text = message.data as string;
    queryStems = new Set(significantWords(likeTitles(text.replace(/--(?=[a-z])/g, "option "))).map(stemTyped));
    message.data = buildQuery(text);
  }
});

const originalPostMessage = postMessage.bind(self) as (message: SearchMessage) => void;
(self as unknown as { postMessage: typeof originalPostMessage }).postMessage = (message) => {
  if (message.type === RESULT_MESSAGE_TYPE) {
    const { items } = message.data as { items: FoundSection[][] };
    for (const item of items.flat()) {
      // The theme would list variants of words as missing, and show a text without marked words in full.
      item.terms = Object.fromEntries(Object.entries(item.terms).filter(([, found]) => found));
      if (!item.text.includes("<mark")) item.text = /<(\w+)>.*?<\/\1>/s.exec(item.text)?.[0] ?? "";
    }
    rankResults(items);
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
