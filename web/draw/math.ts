/** Renders formulas as MathML, which browsers draw and screen readers read. */

import temml from "temml";

/**
 * Return LaTeX as MathML.
 *
 * @throws Error that says what is wrong with the LaTeX
 */
export function renderMathml(latex: string, displayMode: boolean): string {
  try {
    const mathml = temml.renderToString(latex, { displayMode, strict: true, throwOnError: true, trust: false });
    return mathml.replace(' style="display:block math;"', "");
  } catch (error) {
    // Temml underlines the culprit with combining marks, which terminals mangle.
    const plain = (error as Error).message.replace(/^ParseError:|\u0332/g, "").replace(/\s+/g, " ");
    throw new Error(plain.trim());
  }
}
