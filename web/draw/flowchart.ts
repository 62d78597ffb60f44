/**
 * Parses the flowcharts of pages: a small part of Mermaid, drawn from the top down.
 *
 * Mermaid's own parser skips lines that it does not know, so an edge could be missing without notice. This one
 * understands every character of every line, or refuses the line.
 */

export interface FlowchartNode {
  id: string;
  labelLines: string[];
  /** A class, which decides the node's colour. */
  role?: string;
}

export interface FlowchartEdge {
  from: string;
  to: string;
  labelLines: string[];
}

export interface Flowchart {
  nodes: Map<string, FlowchartNode>;
  edges: FlowchartEdge[];
}

const NODE_ID_PATTERN = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_.]*`;
const NODE_PATTERN = String.raw`(${NODE_ID_PATTERN})(?:\["([^"]*)"\])?(?::::([\w-]+))?`;
const NODE_OR_EDGE_PATTERN = new RegExp(`^${NODE_PATTERN}(?:\\s*-->(?:\\|([^|"]+)\\|)?\\s*${NODE_PATTERN})?$`, "u");
const ROLE_PATTERN = new RegExp(String.raw`^class (${NODE_ID_PATTERN}(?:,${NODE_ID_PATTERN})*) ([\w-]+)$`, "u");

/**
 * Split a label at its `<br/>`.
 *
 * @throws Error if it contains any other HTML
 */
function splitLabel(label: string): string[] {
  const lines = label.split("<br/>").map((line) => line.trim());
  const html = /<\/?\w[^>]*>|[#&]#?\w+;/.exec(lines.join(" "));
  if (html) throw new Error(`a label may contain <br/> but not ${html[0]}`);
  return lines;
}

/** Add the nodes, the edge or the roles of a line to the flowchart. */
function parseLine(text: string, { nodes, edges }: Flowchart): void {
  const roles = ROLE_PATTERN.exec(text);
  if (roles) {
    for (const id of (roles[1] as string).split(",")) {
      const node = nodes.get(id);
      if (!node) throw new Error(`there is no node '${id}' above this line: define it first`);
      node.role = roles[2] as string;
    }
    return;
  }
  const statement = NODE_OR_EDGE_PATTERN.exec(text);
  if (!statement) {
    throw new Error(`expected a["label"], a --> b, a -->|label| b or class a role, got '${text}'`);
  }
  const addNode = (id: string, label?: string, role?: string): string => {
    const node = nodes.get(id) ?? { id, labelLines: [id] };
    if (label !== undefined) node.labelLines = splitLabel(label);
    if (role !== undefined) node.role = role;
    nodes.set(id, node);
    return id;
  };
  const [, from, label, role, edgeLabel, to, toLabel, toRole] = statement;
  addNode(from as string, label, role);
  if (to === undefined) return;
  addNode(to, toLabel, toRole);
  edges.push({ from: from as string, to, labelLines: edgeLabel === undefined ? [] : splitLabel(edgeLabel) });
}

/**
 * Parse Mermaid's source.
 *
 * @throws Error that names the first line that is not understood
 */
export function parseFlowchart(source: string): Flowchart {
  const chart: Flowchart = { nodes: new Map(), edges: [] };
  const [header, ...lines] = source.trim().split("\n");
  if (header?.trim() !== "flowchart TD") {
    throw new Error(`expected 'flowchart TD' on the first line, got '${header}'`);
  }
  lines.forEach((line, index) => {
    try {
      if (line.trim() !== "") parseLine(line.trim(), chart);
    } catch (error) {
      throw new Error(`line ${index + 2}: ${(error as Error).message}`);
    }
  });
  if (chart.nodes.size === 0) throw new Error('the diagram has no node: add a line such as a["label"]');
  return chart;
}
