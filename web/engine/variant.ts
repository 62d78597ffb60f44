/** Parts of a model that are not the lesson's, as variants.c computes them. */

/** What each field of its `Config` may be, the lesson's choice first; one without choices is a number. */
export const FIELDS = {
  positions: ["learned", "none"],
  norm: ["rms", "layer", "none"],
  norm_place: ["pre", "post"],
  embedding_norm: ["yes", "no"],
  final_norm: ["no", "yes"],
  residual: ["yes", "no"],
  attention: ["scores", "even", "none"],
  score_scale: ["root", "size", "none"],
  window: [],
  ahead: [],
  mlp: ["yes", "no"],
  mlp_width: [],
  activation: ["relu", "squared relu", "tanh", "none"],
  head_input: ["stream", "hidden"],
  biases: ["no", "yes"],
  loss: ["cross-entropy", "label smoothing", "squared error", "softmax twice"],
  product: ["tiles", "rows", "single"],
} as const;
type Fields = typeof FIELDS;
export type Variant = { [Field in keyof Fields]?: Fields[Field] extends readonly [] ? number : Fields[Field][number] };

/** The numbers by which variants.c knows the parts, in the order of its fields. */
export const numbersOf = (variant: Variant): number[] =>
  Object.entries(FIELDS).map(([field, choices]) => {
    const part = variant[field as keyof Fields] ?? 0;
    return typeof part === "number" ? part : (choices as readonly string[]).indexOf(part);
  });
