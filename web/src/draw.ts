/**
 * The drawing program of the site's build: one JSON request per line on standard
 * input, one JSON answer per line on standard output, in the same order.
 *
 *   {"kind": "mermaid", "source": "flowchart TD\n…"}         → {"svg": "<svg …>"}
 *   {"kind": "math", "latex": "\\sum_i x_i", "display": true} → {"mathml": "<math …>"}
 *   {"kind": "plot", "spec": {…}}  (see plot.ts)             → {"svg": "<svg …>"}
 *   anything that cannot be drawn                            → {"error": "…"}
 */

import { createInterface } from "node:readline";
import { drawDiagram } from "./diagram.js";
import { setMath } from "./math.js";
import { type PlotSpec, drawPlot } from "./plot.js";
import { DrawingError } from "./svg.js";

type Answer = { svg: string } | { mathml: string } | { error: string };

function text(request: Record<string, unknown>, key: string): string {
  const value = request[key];
  if (typeof value !== "string") throw new DrawingError(`the request has no “${key}”`);
  return value;
}

function draw(line: string): Answer {
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
    case "plot": {
      const spec = request["spec"];
      if (typeof spec !== "object" || spec === null) {
        throw new DrawingError("the request has no “spec”");
      }
      return { svg: drawPlot(spec as PlotSpec) };
    }
    default:
      throw new DrawingError("the request’s “kind” is none of mermaid, math, plot");
  }
}

function answer(line: string): Answer {
  try {
    return draw(line);
  } catch (error) {
    if (error instanceof DrawingError) return { error: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { error: `this cannot be drawn: ${reason.split("\n")[0]}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") process.stdout.write(`${JSON.stringify(answer(line))}\n`);
}
