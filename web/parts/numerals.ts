/** Numbers as readers see them: a true minus, and words for what is no number. */

/** A number with a true minus. */
export const signed = (text: string): string => text.replace(/^-/, "−");

/** A number with its thousands set apart: 4,676. */
export const grouped = (value: number): string => signed(value.toLocaleString("en"));

/** So many things: 1 step, 2 steps. */
export const plural = (count: number, thing: string): string => `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`;

/** Words after one another: a, b and c. */
export const listing = (words: string[]): string => words.join(", ").replace(/, ([^,]*)$/, " and $1");

/** A number with as many decimals, 0 as 0; a dash where there is none. */
export function decimals(value: number | undefined, count: number): string {
  if (value === undefined) return "–";
  if (Number.isNaN(value)) return "not a number";
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return value > 0 ? "infinite" : "minus infinite";
  if (size === 0) return "0";
  if (size >= 1e5 || size < 0.5 * 10 ** -count) return scientific(value, 2);
  return signed(value.toFixed(count));
}

/** A number with exactly as many decimals; what is rounded to 0 has no sign. */
export const fixed = (value: number, count: number): string =>
  value
    .toFixed(count)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace("-", "");

/** A number with so many significant digits, 0 as 0. */
export function significant(value: number, digits: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-4 || size >= 1e5) return scientific(value, digits - 1);
  const text = value.toPrecision(digits); // 1000 to three digits is 1.00e+3
  return signed(text.includes("e") ? String(Number(text)) : text);
}

/** A probability as readers see it; a dash where there is none. */
export function percent(p: number): string {
  if (Number.isNaN(p)) return "–";
  if (p === 0) return "0";
  return p < 0.0005 ? "<0.1%" : `${(100 * p).toFixed(1)}%`;
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number as 1.23 × 10⁴, on one line. */
export function scientific(value: number, count: number): string {
  const [digits = "", power = ""] = value.toExponential(count).split("e");
  return `${signed(digits)}\u00a0×\u00a010${superscript(Number(power))}`;
}

function superscript(power: number): string {
  const digits = [...String(Math.abs(power))].map((digit) => SUPERSCRIPTS[Number(digit)]);
  return `${power < 0 ? "⁻" : ""}${digits.join("")}`;
}
