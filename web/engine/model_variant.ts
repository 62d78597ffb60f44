/** Models with other parts than the lesson's GPT, computed by microgpt/engines/variants.c. */

/** The values of each field of variants.c's `Config`, the lesson's first; a field without values is a number. */
export const VARIANT_CHOICES = {
  positions: ["learned", "none"],
  norm: ["rms", "layer", "none"],
  norm_position: ["pre", "post"],
  embedding_norm: ["yes", "no"],
  final_norm: ["no", "yes"],
  residual: ["yes", "no"],
  attention: ["scores", "uniform", "none"],
  score_scale: ["root", "size", "none"],
  window: [],
  lookahead: [],
  mlp: ["yes", "no"],
  mlp_width: [],
  activation: ["relu", "squared relu", "tanh", "none"],
  head_input: ["stream", "hidden"],
  biases: ["no", "yes"],
  loss: ["cross-entropy", "label smoothing", "squared error", "softmax twice"],
  product: ["tiles", "rows", "single"],
} as const;
type VariantChoices = typeof VARIANT_CHOICES;
/** The parts that differ from the lesson's. */
export type ModelVariant = {
  [Field in keyof VariantChoices]?: VariantChoices[Field] extends readonly [] ? number : VariantChoices[Field][number];
};

/** Return the parts as the integers of variants.c's `Config`, in the order of its fields. */
export const encodeVariant = (variant: ModelVariant): number[] =>
  Object.entries(VARIANT_CHOICES).map(([field, choices]) => {
    const part = variant[field as keyof VariantChoices] ?? 0;
    return typeof part === "number" ? part : (choices as readonly string[]).indexOf(part);
  });
