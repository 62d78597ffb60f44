/** Models with other parts than the lesson's GPT, computed by microgpt/engines/variants.c. */

/** The values of each field of variants.c's `Config`, the lesson's first; a field without values is a number. */
export const CHOICES_BY_VARIANT_FIELD = {
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
type ChoicesByField = typeof CHOICES_BY_VARIANT_FIELD;
/** The choices that differ from the lesson's. */
export type ModelVariant = {
  [Field in keyof ChoicesByField]?: ChoicesByField[Field] extends readonly [] ? number : ChoicesByField[Field][number];
};

/** Return a variant's choices as the integers of variants.c's `Config`, in the order of its fields. */
export const encodeVariant = (variant: ModelVariant): number[] =>
  Object.entries(CHOICES_BY_VARIANT_FIELD).map(([field, choices]) => {
    const choice = variant[field as keyof ChoicesByField] ?? 0;
    return typeof choice === "number" ? choice : (choices as readonly string[]).indexOf(choice);
  });
