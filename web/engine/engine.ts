/** All that trains and computes in a page, for tests and benchmarks under Node. */

export * from "./change.js";
export * from "./counts.js";
export * from "./doubled.js";
export * from "./gpt.js";
export * from "./names.js";
export * from "./network.js";
export * from "./random.js";
export * from "./sampling.js";
export * from "./setup.js";
export * from "./training.js";
export * from "./variant.js";
export * from "./vectors.js";
