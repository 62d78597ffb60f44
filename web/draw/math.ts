/** Sets formulas as MathML, which browsers draw and screen readers read. */

import temml from "temml";
import { DrawingError } from "./svg.js";

export function setMath(latex: string, display: boolean): string {
  if (latex.trim() === "") throw new DrawingError("the formula is empty");
  try {
    const mathml = temml.renderToString(latex, {
      displayMode: display,
      strict: true,
      throwOnError: true,
      trust: false,
    });
    return mathml.replace(' style="display:block math;"', "");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Temml underlines the culprit with combining marks, which terminals mangle.
    const plain = message.replace(/^ParseError:|\u0332/g, "").replace(/\s+/g, " ");
    throw new DrawingError(plain.trim());
  }
}
