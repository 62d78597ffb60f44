/**
 * Builds what the site needs and git ignores:
 *   web/dist/draw.mjs     the drawing program that `weave` calls
 *   web/dist/engine.mjs   what trains and computes in a page, for tests and benchmarks under Node
 *   web/dist/service-worker.js   what `weave` publishes with a list of what to keep
 *   web/theme/assets/     what pages load: scripts, looks of widgets, Pyodide, fonts
 *   web/theme/styles/     the looks of all pages in one file, and those of widgets' parts in another
 */

import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import subsetFont from "subset-font";

const require = createRequire(import.meta.url);
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const range = (first, last) => String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
const ASCII = range(0x20, 0x7e);
const SIGNS = "\u00a0–—‘’“”„…•·×÷−→←↑↓≤≥≈≠√∑∂∞≡′″€°±²³½";
// Readers write what they like in blocks. In the text only names have accents, and italics
// are for variables and for a word or two.
const ACCENTED = range(0xc0, 0xff);
const TEXT = `${ASCII}\u00a0–’“”…·×÷−→←↑↓≤≥≈≠√∂∞′±²½äçéèëïñöü`;
const STRESSED = `${range(0x41, 0x5a)}${range(0x61, 0x7a)}0123456789 .,;:!?'()-+=/%\u00a0–’“”−`;
// Formulas write their variables in Unicode's italics for mathematics.
const MATHEMATICS =
  range(0x1d434, 0x1d467) +
  range(0x1d6fc, 0x1d714) +
  range(0x3b1, 0x3c9) +
  "ΔΣΠΓΘΛΦΨΩϵϕℎℝℓ∇∏∫≪≫∈∉⊂⊆∪∩∘⊙⊗⊕↦⇒⟨⟩‖⋯⋮⋱ˆ¯˜∣∥∝∼¬∀∃∧∨⌊⌋⌈⌉⊤" +
  "\u0302\u0303\u0304\u20d7\u2061\u2062\u2063";

/** The faces that a page loads: only the letters and weights that it needs. */
const FACES = [
  {
    name: "literata-normal",
    file: "@fontsource-variable/literata/files/literata-latin-wght-normal.woff2",
    letters: TEXT,
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    name: "literata-italic",
    file: "@fontsource-variable/literata/files/literata-latin-wght-italic.woff2",
    letters: STRESSED,
    axes: { wght: 400 },
  },
  {
    name: "m-plus-code-latin-normal",
    file: "@fontsource-variable/m-plus-code-latin/files/m-plus-code-latin-latin-wght-normal.woff2",
    letters: ASCII + SIGNS + ACCENTED,
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    name: "stix-two-math",
    file: "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    letters: ASCII + SIGNS + MATHEMATICS,
  },
];
const FEATURES = ["kern", "liga", "lnum", "tnum", "ccmp", "mark", "locl", "ssty"];

async function fonts() {
  await mkdir(at("theme/assets/fonts"), { recursive: true });
  for (const { name, file, letters, axes } of FACES) {
    const font = await subsetFont(await readFile(require.resolve(file)), letters, {
      targetFormat: "woff2",
      keepFeatures: FEATURES,
      noHinting: true,
      ...(axes && { variationAxes: axes }),
    });
    await writeFile(at(`theme/assets/fonts/${name}.woff2`), font);
  }
}

const COMMON = {
  bundle: true,
  minify: true,
  legalComments: "none",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  // So that names with a hash depend neither on the folder of the call nor on where a link
  // to node_modules leads.
  absWorkingDir: at("."),
  preserveSymlinks: true,
  logLevel: "warning",
  // They stand in the script that needs them: nothing is fetched, and nothing can be missing.
  loader: { ".wasm": "binary", ".txt": "text" },
};

const BROWSER = { ...COMMON, platform: "browser", target: "es2022" };

/** What runs under Node: the program that draws while the site is built, and what computes in a page, without the page. */
async function programs() {
  await build({
    ...COMMON,
    entryPoints: ["./draw/draw.ts", "./engine/engine.ts"],
    entryNames: "[name]",
    outdir: at("dist"),
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node20",
  });
}

/** Python for the browser, and the number of bytes of each file that it fetches. */
async function pyodide() {
  const from = require.resolve("pyodide/package.json").replace(/package\.json$/, "");
  const { version } = JSON.parse(await readFile(`${from}package.json`, "utf8"));
  const folder = `pyodide-${version}`;
  await mkdir(at(`theme/assets/${folder}`), { recursive: true });
  for (const file of ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) {
    await copyFile(`${from}${file}`, at(`theme/assets/${folder}/${file}`));
  }
  // It would look for packages on another host, if it were not told where they are.
  const loader = await readFile(`${from}pyodide.mjs`, "utf8");
  const elsewhere = /https:\/\/cdn\.jsdelivr\.net\/pyodide\/v\$\{\w+\}\/full\//;
  if (!elsewhere.test(loader)) throw new Error("pyodide.mjs names another host elsewhere now");
  await writeFile(at(`theme/assets/${folder}/pyodide.mjs`), loader.replace(elsewhere, "./"));
  // Of the scripts, which are imported, a page sees no progress.
  const fetched = ["pyodide.asm.wasm", "python_stdlib.zip"];
  const sizes = {};
  for (const file of fetched) sizes[file] = (await stat(`${from}${file}`)).size;
  // The full list names hundreds of packages of other hosts; the guide loads none.
  const { info } = JSON.parse(await readFile(`${from}pyodide-lock.json`, "utf8"));
  const lock = JSON.stringify({ info, packages: {} });
  return { folder, sizes, lock };
}

/** The scripts of a page: a small one at once, the others when a reader asks. */
async function pages() {
  const python = await pyodide();
  /** A worker, whose name has its hash. */
  const worker = async (name, entry) => {
    const define = { PYODIDE: JSON.stringify(python) };
    const { outputFiles } = await build({ ...BROWSER, entryPoints: [at(entry)], define, write: false });
    const script = outputFiles[0].contents;
    const hash = createHash("sha256").update(script).digest("hex").slice(0, 8);
    await writeFile(at(`theme/assets/${name}-${hash}.js`), script);
    return JSON.stringify(`${name}-${hash}.js`);
  };
  const define = {
    PYTHON_WORKER: await worker("worker", "runtime/python-worker.ts"),
    TRAINER: await worker("trainer", "engine/training_worker.ts"),
  };
  await build({
    ...BROWSER,
    entryPoints: [at("runtime/guide.ts")],
    outdir: at("theme/assets"),
    splitting: true,
    chunkNames: "[name]-[hash]",
    define,
  });
}

/** A script that no page loads: it keeps the guide for offline reading, or stands before the theme's search, in its worker. */
const script = (entry, outfile) =>
  build({ ...BROWSER, format: "iife", entryPoints: [at(entry)], outfile: at(outfile) });

/** The looks of all pages, and those of the parts of widgets: all.css, which they share, comes first. */
const LOOKS = ["tokens", "chrome", "prose", "code", "quiz", "figures", "reference"].map((name) => `${name}.css`);
const PARTS = (await readdir(at("parts"))).filter((name) => name.endsWith(".css")).sort();

const styles = (options) =>
  build({ bundle: true, external: ["*.woff2"], minify: true, logLevel: "warning", ...options });

/** Several sheets as one: of two rules that are as exact, the later one counts. */
const together = (sheets, folder, file) =>
  styles({
    stdin: {
      contents: sheets.map((sheet) => `@import "./${sheet}";`).join("\n"),
      loader: "css",
      resolveDir: at(folder),
    },
    outfile: at(`theme/styles/${file}`),
  });

// The folders stay, because uv takes a new one for a reason to build again.
for (const folder of ["dist", "theme/assets"]) {
  await mkdir(at(folder), { recursive: true });
  for (const old of await readdir(at(folder))) {
    await rm(at(`${folder}/${old}`), { recursive: true });
  }
}
await Promise.all([
  fonts(),
  programs(),
  pages(),
  together(LOOKS, "../docs/styles", "guide.css"),
  together(PARTS, "parts", "widgets.css"),
  // Those of a widget are loaded by the pages that show it.
  styles({
    absWorkingDir: at("."),
    entryPoints: ["./widgets/**/style.css"],
    entryNames: "[dir]",
    outdir: at("theme/assets/widgets"),
  }),
  script("runtime/search-worker.ts", "theme/assets/search.js"),
  script("runtime/service-worker.ts", "dist/service-worker.js"),
]);
