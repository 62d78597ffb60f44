/** Numbers and words as readers see them: with a true minus sign, and with words for NaN and infinity. */

/** Replace the hyphen before a negative number with a true minus sign. */
export const withMinusSign = (text: string): string => text.replace(/^-/, "−");

/** Format a number with commas between thousands: 4,676. */
export const groupThousands = (value: number): string => withMinusSign(value.toLocaleString("en"));

/** Format a count and what is counted: 1 step, 2 steps. */
export const formatCount = (count: number, noun: string): string =>
  `${groupThousands(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Join words as a sentence does: a, b and c. */
export const joinWithAnd = (words: string[]): string => words.join(", ").replace(/, ([^,]*)$/, " and $1");

/** Format a number with a fixed number of decimals, very large and small ones in scientific notation; a dash if undefined. */
export function formatNumber(value: number | undefined, decimals: number): string {
  if (value === undefined) return "–";
  if (Number.isNaN(value)) return "not a number";
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return value > 0 ? "infinite" : "minus infinite";
  if (size === 0) return "0";
  if (size >= 1e5 || size < 0.5 * 10 ** -decimals) return formatScientific(value, 2);
  return withMinusSign(value.toFixed(decimals));
}

/** Format a finite number with exactly `decimals` decimals; a number that rounds to 0 has no sign. */
export const formatFixed = (value: number, decimals: number): string =>
  value
    .toFixed(decimals)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace("-", "");

/** Format a finite number with `digits` significant digits. */
export function formatSignificant(value: number, digits: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-4 || size >= 1e5) return formatScientific(value, digits - 1);
  const text = value.toPrecision(digits); // 1000 to three digits is 1.00e+3
  return withMinusSign(text.includes("e") ? String(Number(text)) : text);
}

/** Format a probability as a percentage with one decimal; NaN as a dash. */
export function formatPercent(p: number): string {
  if (Number.isNaN(p)) return "–";
  if (p === 0) return "0";
  return p < 0.0005 ? "<0.1%" : `${(100 * p).toFixed(1)}%`;
}

/** Format a probability as a whole percentage; one that would round down to 0 as <1%. */
export const formatWholePercent = (p: number): string => (p > 0 && p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`);

/** Format a number as 1.23 × 10⁴, with spaces that do not break. */
export function formatScientific(value: number, decimals: number): string {
  const [digits = "", exponent = ""] = value.toExponential(decimals).split("e");
  const signed = exponent.replace("+", "").replace("-", "⁻");
  const power = signed.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] as string);
  return `${withMinusSign(digits)}\u00a0×\u00a010${power}`;
}
