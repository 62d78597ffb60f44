/**
 * Reads the flowcharts that chapters contain: a small part of Mermaid, from the top down.
 *
 * Mermaid's readers pass over lines that they do not know. A book cannot afford
 * that, because an edge would be missing and nobody told; so every character of
 * every line is understood here, or refused by its line.
 */

export interface Node {
  id: string;
  lines: string[];
  role?: string;
}

export interface Edge {
  from: string;
  to: string;
  lines: string[];
}

export interface Flowchart {
  nodes: Map<string, Node>;
  edges: Edge[];
}

const ID = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_.]*`;
const NODE = String.raw`(${ID})(?:\["([^"]*)"\])?(?::::([\w-]+))?`;
const STATEMENT = new RegExp(`^${NODE}(?:\\s*-->(?:\\|([^|"]+)\\|)?\\s*${NODE})?$`, "u");
const ROLE = new RegExp(String.raw`^class (${ID}(?:,${ID})*) ([\w-]+)$`, "u");

/** The lines of a label; nothing else of HTML may stand in it. */
function labelLines(label: string): string[] {
  const lines = label.split("<br/>").map((line) => line.trim());
  const found = /<\/?\w[^>]*>|[#&]#?\w+;/.exec(lines.join(" "));
  if (found) throw new Error(`a label may contain <br/> but not ${found[0]}`);
  return lines;
}

function readLine(text: string, { nodes, edges }: Flowchart): void {
  const roles = ROLE.exec(text);
  if (roles) {
    for (const id of (roles[1] as string).split(",")) {
      const node = nodes.get(id);
      if (!node) throw new Error(`there is no node “${id}” above this line`);
      node.role = roles[2] as string;
    }
    return;
  }
  const found = STATEMENT.exec(text);
  if (!found) throw new Error(`cannot read “${text}”`);
  const nodeAt = (id: string, label?: string, role?: string): string => {
    const node = nodes.get(id) ?? { id, lines: [id] };
    if (label !== undefined) node.lines = labelLines(label);
    if (role !== undefined) node.role = role;
    nodes.set(id, node);
    return id;
  };
  const [, from, label, role, said, to, toLabel, toRole] = found;
  nodeAt(from as string, label, role);
  if (to === undefined) return;
  nodeAt(to, toLabel, toRole);
  edges.push({ from: from as string, to, lines: said === undefined ? [] : labelLines(said) });
}

export function readFlowchart(source: string): Flowchart {
  const chart: Flowchart = { nodes: new Map(), edges: [] };
  const [header, ...lines] = source.trim().split("\n");
  if (header?.trim() !== "flowchart TD") {
    throw new Error(`“${header}” is no kind of diagram known here; begin with “flowchart TD”`);
  }
  lines.forEach((line, index) => {
    try {
      if (line.trim() !== "") readLine(line.trim(), chart);
    } catch (error) {
      throw new Error(`line ${index + 2} of the diagram: ${(error as Error).message}`);
    }
  });
  if (chart.nodes.size === 0) throw new Error("the diagram has no node");
  return chart;
}
