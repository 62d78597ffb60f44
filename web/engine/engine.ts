/** Entry point of web/dist/engine.mjs: everything that trains and computes in pages, for tests and benchmarks under Node. */

export * from "./bigram_table.js";
export * from "./doubled_names.js";
export * from "./gpt.js";
export * from "./model_variant.js";
export * from "./names.js";
export * from "./network.js";
export * from "./random.js";
export * from "./sampling.js";
export * from "./sentences.js";
export * from "./training.js";
export * from "./training_change.js";
export * from "./training_setup.js";
export * from "./vectors.js";
