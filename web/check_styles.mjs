/** Tells of rules for classes that nothing sets, and of custom properties that nothing gives a value: dead style. */

import { glob, readdir, readFile } from "node:fs/promises";

const FOLDER = new URL(".", import.meta.url);

async function read(...patterns) {
  const texts = [];
  for await (const file of glob(patterns, { cwd: FOLDER })) texts.push(await readFile(new URL(file, FOLDER), "utf8"));
  return texts.join("\n");
}

const sheets = (await read("../docs/styles/*.css", "{parts,widgets}/**/*.css")).replace(/\/\*.*?\*\//gs, "");
// Whatever may give an element a class: pages, the program that renders them, the theme's templates, and scripts.
const sources = await read(
  "../docs/**/*.{ipynb,md}",
  "../weave/**/*.py",
  "theme/{*,partials/**/*}.{html,js}",
  "{draw,parts,pictures,runtime,widgets}/**/*.{py,ts,tsx}",
);
const quoted = sources.match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g).join(" ");
// A figure has the name of its widget for a class.
const words = new Set([...quoted.match(/[\w-]+/g), ...(await readdir(new URL("widgets", FOLDER)))]);
const beginnings = [...quoted.matchAll(/([a-z][\w-]+)\$\{/g)].map(([, beginning]) => beginning);
// What the theme, Markdown and Pygments set
const THEIRS = /^(--md-|md-|no-js$|admonition$|[a-z]{1,2}$|hll$)/;

function unknown(pattern, text) {
  const names = new Set([...text.matchAll(pattern)].map(([, name]) => name));
  const isSet = (name) => words.has(name) || THEIRS.test(name) || beginnings.some((each) => name.startsWith(each));
  return [...names].filter((name) => !isSet(name));
}

const selectors = sheets.match(/[^{};]+(?=\{)/g).join("\n");
const given = new Set(sheets.match(/--[\w-]+(?=:)/g));
const dead = [
  ...unknown(/\.([a-zA-Z][\w-]*)/g, selectors).map((name) => `nothing has the class ${name}`),
  ...unknown(/var\((--[\w-]+)\)/g, sheets)
    .filter((name) => !given.has(name))
    .map((name) => `nothing gives ${name} a value`),
];
if (dead.length > 0) {
  console.error(dead.join("\n"));
  process.exit(1);
}
