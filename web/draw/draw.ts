/**
 * The drawing program of the site's build: one JSON request per line on standard
 * input, one JSON answer per line on standard output, in the same order.
 *
 *   {"kind": "mermaid", "source": "flowchart TD\n…"}         → {"svg": "<svg …>"}
 *   {"kind": "math", "latex": "\\sum_i x_i", "display": true} → {"mathml": "<math …>"}
 *   {"kind": "widget", "name": "graph", "given": {…}}        → {"html": "…"}
 *   anything that cannot be drawn                            → {"error": "…"}
 */

import { createInterface } from "node:readline";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Given, WidgetModule } from "../runtime/widget.js";
import { drawDiagram } from "./diagram.js";
import { setMath } from "./math.js";
import { DrawingError } from "./svg.js";

type Answer = { svg: string } | { mathml: string } | { html: string } | { error: string };

function text(request: Record<string, unknown>, key: string): string {
  const value = request[key];
  if (typeof value !== "string") throw new DrawingError(`the request has no “${key}”`);
  return value;
}

/** Draw a widget as it first stands, with the component that later runs it. */
async function widget(name: string, given: Given): Promise<string> {
  const module = (await import(`../widgets/${name}/view.tsx`)) as WidgetModule;
  return renderToString(h(module.default, given));
}

async function draw(line: string): Promise<Answer> {
  let request: Record<string, unknown>;
  try {
    request = JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw new DrawingError("the request is not JSON");
  }
  switch (request?.["kind"]) {
    case "mermaid":
      return { svg: drawDiagram(text(request, "source")) };
    case "math":
      return { mathml: setMath(text(request, "latex"), request["display"] === true) };
    case "widget":
      return { html: await widget(text(request, "name"), request["given"] as Given) };
    default:
      throw new DrawingError("the request’s “kind” is none of mermaid, math, widget");
  }
}

async function answer(line: string): Promise<Answer> {
  try {
    return await draw(line);
  } catch (error) {
    if (error instanceof DrawingError) return { error: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { error: `this cannot be drawn: ${reason.split("\n")[0]}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
