/** Turn any numbers into probabilities that add up to 1. */
export function softmax(logits: number[]): number[] {
  const largest = Math.max(...logits);
  const exps = logits.map((logit) => Math.exp(logit - largest));
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  return exps.map((exp) => exp / total);
}
