/** The graph of an expression that the reader types. */

import { useState } from "preact/hooks";
import { drawDiagram } from "../draw/diagram.js";
import { call } from "../live/python.js";
import type { Given } from "../live/widget.js";

interface Graph {
  mermaid: string;
}

export default function GraphSandbox({ parameters, result }: Given<{ expression: string }, Graph>) {
  const [expression, setExpression] = useState(parameters.expression);
  const [graph, setGraph] = useState(result);
  const draw = async (): Promise<void> => {
    const answer = await call<Graph>("graph", { expression });
    if ("result" in answer) setGraph(answer.result);
  };
  return (
    <>
      <div
        class="canvas"
        tabIndex={0}
        dangerouslySetInnerHTML={{ __html: drawDiagram(graph.mermaid) }}
      />
      <div class="controls">
        <input
          value={expression}
          aria-label="Expression"
          onInput={(event) => setExpression(event.currentTarget.value)}
        />
        <button type="button" onClick={() => void draw()}>
          Draw
        </button>
      </div>
    </>
  );
}
