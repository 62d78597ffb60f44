/** Reports dead style: rules for classes that nothing sets, and custom properties that nothing defines. */

import { glob, readdir, readFile } from "node:fs/promises";

const FOLDER = new URL(".", import.meta.url);

/** Return the text of all files that match the patterns. */
async function readFiles(...patterns) {
  const texts = [];
  for await (const file of glob(patterns, { cwd: FOLDER })) texts.push(await readFile(new URL(file, FOLDER), "utf8"));
  return texts.join("\n");
}

const styleSheets = (await readFiles("../docs/styles/*.css", "{parts,widgets}/**/*.css")).replace(/\/\*.*?\*\//gs, "");
// Whatever may give an element a class: pages, the program that renders them, the theme's templates, and scripts
const sources = await readFiles(
  "../docs/**/*.{ipynb,md}",
  "../weave/**/*.py",
  "theme/{*,partials/**/*}.{html,js}",
  "{draw,parts,pictures,runtime,widgets}/**/*.{py,ts,tsx}",
);
const strings = sources.match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g).join(" ");
// The figure of a widget has the widget's name as a class.
const possibleClasses = new Set([...strings.match(/[\w-]+/g), ...(await readdir(new URL("widgets", FOLDER)))]);
const classPrefixes = [...strings.matchAll(/([a-z][\w-]+)\$\{/g)].map(([, prefix]) => prefix);
// Set by the theme, Markdown and Pygments
const EXTERNAL_NAME = /^(--md-|md-|no-js$|admonition$|[a-z]{1,2}$|hll$)/;

/** Return the names that a pattern finds in a text and that nothing sets. */
function findUnset(pattern, text) {
  const names = new Set([...text.matchAll(pattern)].map(([, name]) => name));
  const isSet = (name) =>
    possibleClasses.has(name) || EXTERNAL_NAME.test(name) || classPrefixes.some((prefix) => name.startsWith(prefix));
  return [...names].filter((name) => !isSet(name));
}

const selectors = styleSheets.match(/[^{};]+(?=\{)/g).join("\n");
const definedProperties = new Set(styleSheets.match(/--[\w-]+(?=:)/g));
const problems = [
  ...findUnset(/\.([a-zA-Z][\w-]*)/g, selectors).map((name) => `nothing has the class ${name}: delete its rules`),
  ...findUnset(/var\((--[\w-]+)\)/g, styleSheets)
    .filter((name) => !definedProperties.has(name))
    .map((name) => `nothing defines ${name}: define it, or use another custom property`),
];
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
