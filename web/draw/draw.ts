/**
 * The drawing program of the site's build: one JSON request per line on standard
 * input, one JSON answer per line on standard output, in the same order.
 *
 *   {"kind": "mermaid", "source": "flowchart TD\n…"}         → {"drawn": "<svg …>"}
 *   {"kind": "math", "latex": "\\sum_i x_i", "display": true} → {"drawn": "<math …>"}
 *   {"kind": "widget", "name": "graph", "given": {…}}        → {"drawn": "…"}
 *   anything that cannot be drawn                            → {"error": "…"}
 */

import { createInterface } from "node:readline";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { WidgetModule, WidgetProps } from "../runtime/widget.js";
import { drawDiagram } from "./diagram.js";
import { setMath } from "./math.js";

type Request =
  | { kind: "mermaid"; source: string }
  | { kind: "math"; latex: string; display: boolean }
  | { kind: "widget"; name: string; given: WidgetProps };

async function draw(request: Request): Promise<string> {
  if (request.kind === "mermaid") return drawDiagram(request.source);
  if (request.kind === "math") return setMath(request.latex, request.display);
  // A widget as it first stands, with the component that later runs it
  const module = (await import(`../widgets/${request.name}/view.tsx`)) as WidgetModule;
  return renderToString(h(module.default, request.given));
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await draw(JSON.parse(line) as Request).then(
    (drawn) => ({ drawn }),
    (error: Error) => ({ error: error.message.split("\n")[0] }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
