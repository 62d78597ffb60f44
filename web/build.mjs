/**
 * Builds what the site needs and git ignores:
 *   web/dist/draw.mjs     the drawing program that `weave` calls
 *   web/dist/engine.mjs   what trains and computes in a page, for tests and benchmarks under Node
 *   web/dist/service-worker.js   what `weave` publishes with a list of what to keep
 *   web/theme/assets/     what pages load: scripts, style sheets of widgets, Pyodide, fonts
 *   web/theme/styles/     one style sheet of all pages, and one that widgets share
 */

import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import subsetFont from "subset-font";

const require = createRequire(import.meta.url);
/** Return the absolute path of a file of `web/`. */
const resolvePath = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Return all characters between two code points, both included. */
const characterRange = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
const ASCII = characterRange(0x20, 0x7e);
const PUNCTUATION_AND_SYMBOLS = "\u00a0–—‘’“”„…•·×÷−→←↑↓≤≥≈≠√∑∂∞≡′″€°±²³½";
// Readers write what they like in blocks. In the text only names have accents, and italics
// are for variables and for a word or two.
const ACCENTED_LETTERS = characterRange(0xc0, 0xff);
const TEXT_CHARACTERS = `${ASCII}\u00a0–’“”…·×÷−→←↑↓≤≥≈≠√∂∞′±²½äçéèëïñöü`;
const ITALIC_CHARACTERS = `${characterRange(0x41, 0x5a)}${characterRange(0x61, 0x7a)}0123456789 .,;:!?'()-+=/%\u00a0–’“”−`;
// Formulas write their variables in Unicode's italics for mathematics.
const MATHEMATICAL_CHARACTERS =
  characterRange(0x1d434, 0x1d467) +
  characterRange(0x1d6fc, 0x1d714) +
  characterRange(0x3b1, 0x3c9) +
  "ΔΣΠΓΘΛΦΨΩϵϕℎℝℓ∇∏∫≪≫∈∉⊂⊆∪∩∘⊙⊗⊕↦⇒⟨⟩‖⋯⋮⋱ˆ¯˜∣∥∝∼¬∀∃∧∨⌊⌋⌈⌉⊤" +
  "\u0302\u0303\u0304\u20d7\u2061\u2062\u2063";

/** The fonts that pages load, with only the characters and weights that they need. */
const FONTS = [
  {
    name: "literata-normal",
    file: "@fontsource-variable/literata/files/literata-latin-wght-normal.woff2",
    characters: TEXT_CHARACTERS,
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    name: "literata-italic",
    file: "@fontsource-variable/literata/files/literata-latin-wght-italic.woff2",
    characters: ITALIC_CHARACTERS,
    axes: { wght: 400 },
  },
  {
    name: "m-plus-code-latin-normal",
    file: "@fontsource-variable/m-plus-code-latin/files/m-plus-code-latin-latin-wght-normal.woff2",
    characters: ASCII + PUNCTUATION_AND_SYMBOLS + ACCENTED_LETTERS,
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    name: "stix-two-math",
    file: "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    characters: ASCII + PUNCTUATION_AND_SYMBOLS + MATHEMATICAL_CHARACTERS,
  },
];
const OPENTYPE_FEATURES = ["kern", "liga", "lnum", "tnum", "ccmp", "mark", "locl", "ssty"];

/** Write each font with only the characters and weights that pages need. */
async function buildFonts() {
  await mkdir(resolvePath("theme/assets/fonts"), { recursive: true });
  for (const { name, file, characters, axes } of FONTS) {
    const font = await subsetFont(await readFile(require.resolve(file)), characters, {
      targetFormat: "woff2",
      keepFeatures: OPENTYPE_FEATURES,
      noHinting: true,
      ...(axes && { variationAxes: axes }),
    });
    await writeFile(resolvePath(`theme/assets/fonts/${name}.woff2`), font);
  }
}

const COMMON_OPTIONS = {
  bundle: true,
  minify: true,
  legalComments: "none",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  // So that names with a hash depend neither on the folder of the call nor on where a link to node_modules leads.
  absWorkingDir: resolvePath("."),
  preserveSymlinks: true,
  logLevel: "warning",
  // Inlined into the script that needs them, so that they cannot be missing.
  loader: { ".wasm": "binary", ".txt": "text" },
};

const BROWSER_OPTIONS = { ...COMMON_OPTIONS, platform: "browser", target: "es2022" };

/** Build the scripts that run under Node: the drawing program of the site's build, and the training engine. */
async function buildNodePrograms() {
  await build({
    ...COMMON_OPTIONS,
    entryPoints: ["./draw/draw.ts", "./engine/engine.ts"],
    entryNames: "[name]",
    outdir: resolvePath("dist"),
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node20",
  });
}

/** Copy Pyodide into the theme; return its folder, the bytes of the files that it fetches, and its lock file. */
async function copyPyodide() {
  const source = require.resolve("pyodide/package.json").replace(/package\.json$/, "");
  const { version } = JSON.parse(await readFile(`${source}package.json`, "utf8"));
  const folder = `pyodide-${version}`;
  await mkdir(resolvePath(`theme/assets/${folder}`), { recursive: true });
  for (const file of ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) {
    await copyFile(`${source}${file}`, resolvePath(`theme/assets/${folder}/${file}`));
  }
  // By default it would load packages from a CDN.
  const loader = await readFile(`${source}pyodide.mjs`, "utf8");
  const cdnUrl = /https:\/\/cdn\.jsdelivr\.net\/pyodide\/v\$\{\w+\}\/full\//;
  if (!cdnUrl.test(loader))
    throw new Error("pyodide.mjs no longer has the CDN's URL in this form: adapt cdnUrl in web/build.mjs");
  await writeFile(resolvePath(`theme/assets/${folder}/pyodide.mjs`), loader.replace(cdnUrl, "./"));
  // A page shows the progress of these downloads; it cannot see that of imported scripts.
  const measuredFiles = ["pyodide.asm.wasm", "python_stdlib.zip"];
  const sizes = {};
  for (const file of measuredFiles) sizes[file] = (await stat(`${source}${file}`)).size;
  // The full list names hundreds of packages of other hosts; the guide loads none.
  const { info } = JSON.parse(await readFile(`${source}pyodide-lock.json`, "utf8"));
  const lock = JSON.stringify({ info, packages: {} });
  return { folder, sizes, lock };
}

/** Build the scripts of a page: a small one at once, the others when they are needed. */
async function buildPageScripts() {
  const python = await copyPyodide();
  /** Build a worker, and return the quoted name of its file, which has its hash. */
  const buildWorker = async (name, entry) => {
    const define = { PYODIDE: JSON.stringify(python) };
    const entryPoints = [resolvePath(entry)];
    const { outputFiles } = await build({ ...BROWSER_OPTIONS, entryPoints, define, write: false });
    const script = outputFiles[0].contents;
    const hash = createHash("sha256").update(script).digest("hex").slice(0, 8);
    await writeFile(resolvePath(`theme/assets/${name}-${hash}.js`), script);
    return JSON.stringify(`${name}-${hash}.js`);
  };
  const define = {
    PYTHON_WORKER: await buildWorker("worker", "runtime/python-worker.ts"),
    TRAINER: await buildWorker("trainer", "engine/training_worker.ts"),
  };
  await build({
    ...BROWSER_OPTIONS,
    entryPoints: [resolvePath("runtime/guide.ts")],
    outdir: resolvePath("theme/assets"),
    splitting: true,
    chunkNames: "[name]-[hash]",
    define,
  });
}

/** Build a worker's script that other code loads by its name: the service worker, and the one of the search. */
const buildStandaloneScript = (entry, outfile) =>
  build({ ...BROWSER_OPTIONS, format: "iife", entryPoints: [resolvePath(entry)], outfile: resolvePath(outfile) });

/** The style sheets of all pages, and those that widgets share: _shared.css comes first. */
const PAGE_STYLE_SHEETS = ["tokens", "chrome", "prose", "code", "quiz", "figures", "reference"].map(
  (name) => `${name}.css`,
);
const WIDGET_STYLE_SHEETS = (await readdir(resolvePath("parts"))).filter((name) => name.endsWith(".css")).sort();

const bundleStyles = (options) =>
  build({ bundle: true, external: ["*.woff2"], minify: true, logLevel: "warning", ...options });

/** Bundle style sheets into one file, in order: of two rules of equal specificity, the later wins. */
const mergeStyleSheets = (sheets, folder, file) =>
  bundleStyles({
    stdin: {
      contents: sheets.map((sheet) => `@import "./${sheet}";`).join("\n"),
      loader: "css",
      resolveDir: resolvePath(folder),
    },
    outfile: resolvePath(`theme/styles/${file}`),
  });

// Empty the folders but keep them, because uv would take new ones for a reason to build again.
for (const folder of ["dist", "theme/assets"]) {
  await mkdir(resolvePath(folder), { recursive: true });
  for (const name of await readdir(resolvePath(folder))) {
    await rm(resolvePath(`${folder}/${name}`), { recursive: true });
  }
}
await Promise.all([
  buildFonts(),
  buildNodePrograms(),
  buildPageScripts(),
  mergeStyleSheets(PAGE_STYLE_SHEETS, "../docs/styles", "guide.css"),
  mergeStyleSheets(WIDGET_STYLE_SHEETS, "parts", "widgets.css"),
  // Loaded only by the pages that show the widget
  bundleStyles({
    absWorkingDir: resolvePath("."),
    entryPoints: ["./widgets/**/style.css"],
    entryNames: "[dir]",
    outdir: resolvePath("theme/assets/widgets"),
  }),
  buildStandaloneScript("runtime/search-query.ts", "theme/assets/search.js"),
  buildStandaloneScript("runtime/service-worker.ts", "dist/service-worker.js"),
]);
