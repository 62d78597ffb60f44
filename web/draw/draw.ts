/**
 * The program that draws while the site is built. It reads one JSON request per line from standard input, and writes
 * one JSON answer per line to standard output, in the same order.
 *
 *   {"kind": "diagram", "source": "flowchart TD\n…"}            → {"result": "<svg …>"}
 *   {"kind": "formula", "latex": "\\sum_i x_i", "display": true} → {"result": "<math …>"}
 *   {"kind": "widget", "name": "graph", "props": {…}}           → {"result": "…"}
 *   anything that cannot be drawn                               → {"error": "…"}
 */

import { createInterface } from "node:readline";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { WidgetModule, WidgetProps } from "../runtime/widget.js";
import { renderDiagram } from "./diagram.js";
import { renderMathml } from "./math.js";

type DrawingRequest =
  | { kind: "diagram"; source: string }
  | { kind: "formula"; latex: string; display: boolean }
  | { kind: "widget"; name: string; props: WidgetProps };

/** Return the SVG, MathML or HTML that a request asks for. */
async function renderRequest(request: DrawingRequest): Promise<string> {
  if (request.kind === "diagram") return renderDiagram(request.source);
  if (request.kind === "formula") return renderMathml(request.latex, request.display);
  // The initial HTML of a widget, by the component that the browser hydrates
  const module = (await import(`../widgets/${request.name}/view.tsx`)) as WidgetModule;
  return renderToString(h(module.default, request.props));
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await renderRequest(JSON.parse(line) as DrawingRequest).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message.split("\n")[0] }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
