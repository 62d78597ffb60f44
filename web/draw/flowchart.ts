/**
 * Reads the flowcharts that chapters contain: a strict subset of Mermaid.
 *
 * Mermaid's readers pass over lines that they do not know. A book cannot afford
 * that, because an edge would be missing and nobody told; so every character of
 * every line is understood here, or refused by its line.
 */

import { DrawingError } from "./svg.js";

export type Direction = "TB" | "BT" | "LR" | "RL";
export type Shape = "box" | "round" | "stadium" | "circle" | "diamond";
export type Stroke = "solid" | "dotted" | "thick";

export interface Node {
  id: string;
  lines: string[];
  shape: Shape;
  role?: string;
  group?: string;
}

export interface Edge {
  from: string;
  to: string;
  lines: string[];
  stroke: Stroke;
  heads: { start: boolean; end: boolean };
}

export interface Group {
  id: string;
  lines: string[];
  parent?: string;
}

export interface Flowchart {
  direction: Direction;
  name?: string;
  nodes: Map<string, Node>;
  edges: Edge[];
  groups: Map<string, Group>;
}

const SHAPES: [open: string, close: string, shape: Shape][] = [
  ["([", "])", "stadium"],
  ["((", "))", "circle"],
  ["[", "]", "box"],
  ["(", ")", "round"],
  ["{", "}", "diamond"],
];
const OTHER_SHAPES = ["[[", "[(", "[/", "[\\", "{{", "((("];
const ID = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.]|-(?![-.>]))*/u;
const NAMED_ENTITIES: Record<string, string> = {
  quot: '"',
  lt: "<",
  gt: ">",
  amp: "&",
  apos: "'",
  nbsp: "\u00a0",
  times: "×",
  minus: "−",
};

/** The lines of a label: Mermaid's quotes, breaks and entities resolved. */
function labelLines(label: string): string[] {
  const bare = label.trim().replace(/^"(.*)"$/s, "$1");
  const tag = /<\/?(b|i|em|strong|sub|sup|small|u|code|span|div|p|font|img)\b[^>]*>/i;
  const found = tag.exec(bare);
  if (found) throw new DrawingError(`a label may contain <br/> but not ${found[0]}`);
  return bare.split(/<br\s*\/?>/i).map((line) =>
    line
      .replace(/[#&](#?\w+);/g, (whole, name: string) => {
        if (/^#?\d+$/.test(name)) {
          return String.fromCodePoint(Number(name.replace("#", "")));
        }
        return NAMED_ENTITIES[name] ?? whole;
      })
      .trim(),
  );
}

/** Reads one line from left to right. */
class Line {
  constructor(private rest: string) {}

  get done(): boolean {
    return this.rest.trim() === "";
  }

  take(pattern: RegExp): RegExpExecArray | null {
    this.rest = this.rest.trimStart();
    const match = pattern.exec(this.rest);
    if (match) this.rest = this.rest.slice(match[0].length);
    return match;
  }

  /** What stands before `close`, quotes respected, or nothing. */
  until(close: string): string | null {
    const quoted = /^\s*"[^"]*"\s*/.exec(this.rest)?.[0] ?? "";
    const at = this.rest.indexOf(close, quoted.length);
    if (at < 0 || (quoted && at > quoted.length)) return null;
    const text = this.rest.slice(0, at);
    this.rest = this.rest.slice(at + close.length);
    return text;
  }

  refuse(): never {
    const where = this.rest.trim() || "the end of the line";
    throw new DrawingError(`cannot read “${where}”`);
  }

  startsWith(text: string): boolean {
    return this.rest.trimStart().startsWith(text);
  }
}

class Reader {
  readonly chart: Flowchart = {
    direction: "TB",
    nodes: new Map(),
    edges: [],
    groups: new Map(),
  };
  private open: string[] = [];

  read(source: string): Flowchart {
    let header = false;
    source.split("\n").forEach((raw, index) => {
      const text = raw.trim().replace(/;$/, "");
      if (text === "" || text.startsWith("%%")) return;
      try {
        if (header) this.statement(text);
        else this.header(text);
        header = true;
      } catch (error) {
        if (!(error instanceof DrawingError)) throw error;
        throw new DrawingError(`line ${index + 1} of the diagram: ${error.message}`);
      }
    });
    if (!header) throw new DrawingError("the diagram is empty");
    if (this.open.length > 0) {
      throw new DrawingError(`the subgraph “${this.open.at(-1)}” has no end`);
    }
    if (this.chart.nodes.size === 0) throw new DrawingError("the diagram has no node");
    return this.chart;
  }

  private header(text: string): void {
    const match = /^(?:flowchart|graph)\s+(TD|TB|BT|LR|RL)$/.exec(text);
    if (!match) {
      throw new DrawingError(`“${text}” is no kind of diagram known here; begin with “flowchart TD”`);
    }
    const direction = match[1] as string;
    this.chart.direction = direction === "TD" ? "TB" : (direction as Direction);
  }

  private statement(text: string): void {
    const title = /^accTitle:\s*(.+)$/.exec(text);
    if (title) {
      this.chart.name = title[1] as string;
      return;
    }
    // Colours are the site's own; these lines serve Mermaid elsewhere.
    if (/^(classDef|style|linkStyle)\s+\S+\s+\S/.test(text)) return;
    const roles = /^class\s+([^\s,]+(?:\s*,\s*[^\s,]+)*)\s+([\w-]+)$/.exec(text);
    if (roles) {
      for (const id of (roles[1] as string).split(/\s*,\s*/)) {
        const node = this.chart.nodes.get(id);
        if (!node) throw new DrawingError(`there is no node “${id}” above this line`);
        node.role = roles[2] as string;
      }
      return;
    }
    const group = /^subgraph\s+(?:([\w-]+)\s*\[(.+)\]|(.+))$/.exec(text);
    if (group) {
      const label = group[2] ?? (group[3] as string);
      const id = group[1] ?? label.replace(/^"|"$/g, "");
      if (this.chart.groups.has(id)) {
        throw new DrawingError(`there are two subgraphs “${id}”`);
      }
      const parent = this.open.at(-1);
      this.chart.groups.set(id, {
        id,
        lines: labelLines(label),
        ...(parent === undefined ? {} : { parent }),
      });
      this.open.push(id);
      return;
    }
    if (text === "end") {
      if (this.open.pop() === undefined) throw new DrawingError("“end” ends nothing");
      return;
    }
    this.chain(new Line(text));
  }

  private chain(line: Line): void {
    let sources = this.nodes(line);
    while (!line.done) {
      const arrow = this.arrow(line);
      const targets = this.nodes(line);
      for (const from of sources) {
        for (const to of targets) this.chart.edges.push({ from, to, ...arrow });
      }
      sources = targets;
    }
  }

  private nodes(line: Line): string[] {
    const ids = [this.nodeAt(line)];
    while (line.take(/^&(?=\s)/)) ids.push(this.nodeAt(line));
    return ids;
  }

  private node(id: string): Node {
    let node = this.chart.nodes.get(id);
    if (!node) {
      node = { id, lines: [id], shape: "box" };
      this.chart.nodes.set(id, node);
    }
    const group = this.open.at(-1);
    if (group !== undefined) node.group ??= group;
    return node;
  }

  private nodeAt(line: Line): string {
    const id = line.take(ID)?.[0] ?? line.refuse();
    const node = this.node(id);
    if (OTHER_SHAPES.some((open) => line.startsWith(open))) line.refuse();
    for (const [open, close, shape] of SHAPES) {
      if (!line.startsWith(open)) continue;
      line.take(new RegExp(`^${open.replace(/./g, "\\$&")}`));
      const label = line.until(close);
      if (label === null) {
        throw new DrawingError(`the label of “${id}” has no closing ${close}`);
      }
      node.lines = labelLines(label);
      node.shape = shape;
      break;
    }
    const role = line.take(/^:::([\w-]+)/);
    if (role) node.role = role[1] as string;
    return id;
  }

  private arrow(line: Line): Omit<Edge, "from" | "to"> {
    const whole = line.take(/^(<)?(?:(-{2,}|={2,})(>|-|=)|-(\.+)-(>)?)(?=[^>=.xo-]|[xo]?\w|$)/);
    if (whole) {
      const body = whole[2];
      const label = line.take(/^\|/) ? (line.until("|") ?? line.refuse()) : "";
      return {
        lines: label ? labelLines(label) : [],
        stroke: whole[4] ? "dotted" : body?.startsWith("=") ? "thick" : "solid",
        heads: { start: whole[1] === "<", end: (whole[3] ?? whole[5]) === ">" },
      };
    }
    const spaced = line.take(/^(<)?(?:--\s+(.+?)\s+--+(>|-)|==\s+(.+?)\s+==+(>|=)|-\.\s+(.+?)\s+\.+-(>)?)/);
    if (!spaced) return line.refuse();
    const label = spaced[2] ?? spaced[4] ?? (spaced[6] as string);
    return {
      lines: labelLines(label),
      stroke: spaced[2] ? "solid" : spaced[4] ? "thick" : "dotted",
      heads: {
        start: spaced[1] === "<",
        end: (spaced[3] ?? spaced[5] ?? spaced[7]) === ">",
      },
    };
  }
}

export function readFlowchart(source: string): Flowchart {
  return new Reader().read(source);
}
