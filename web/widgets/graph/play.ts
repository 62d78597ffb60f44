/** What the picture shows of a play at one of its steps. */

import type { GraphPlay, GraphStep, GraphWalk } from "../types.js";

/** Characters that have room in a box. */
const ROOM = 9;

/** Where a play is: a word, or the number of a step as a text. */
export const PLACE = /^(start|values|end|\d{1,4})$/;

export interface Scene {
  play: GraphPlay;
  walk: GraphWalk;
  at: number;
  step: GraphStep;
}

export function sceneOf(play: GraphPlay, walk: GraphWalk, place: string): Scene {
  const last = walk.steps.length - 1;
  const words: Record<string, number> = { start: 0, values: play.forward, end: last };
  const at = Math.max(0, Math.min(last, words[place] ?? Number(place)));
  return { play, walk, at, step: walk.steps[at] as GraphStep };
}

export const ended = ({ at, walk }: Scene): boolean => at === walk.steps.length - 1;

/** Has a node its value by now? */
const there = ({ play, walk, at }: Scene, node: number): boolean =>
  play.nodes[node]?.input || at > play.forward || walk.steps.slice(0, at + 1).some((step) => step.node === node);

/** The gradient of a node; at the end of a walk without an order, also what it should be. */
function gradient(scene: Scene, node: number, over: boolean): string {
  const right = over ? scene.walk.wrong[node] : undefined;
  const grad = (over ? scene.walk.steps.at(-1) : scene.step)?.grads[node] ?? "";
  return right === undefined ? grad : `${grad}, should be ${right}`;
}

/** The boxes; `moving` names the moment if something is to be seen moving in it. */
export function boxes(scene: Scene, moving: string | undefined) {
  const { play, step, at, walk } = scene;
  const over = ended(scene);
  return play.nodes.map((node, index) => {
    const exists = there(scene, index);
    const now = step.node === index;
    const forward = now && at <= play.forward;
    const slopes = play.edges.flatMap(({ source, target, local_grad }) =>
      target === index ? [`${local_grad} for ${play.nodes[source]?.title}`] : [],
    );
    const grad = exists ? gradient(scene, index, over) : "";
    const kinds = [
      node.input ? "input" : "",
      index === play.nodes.length - 1 ? "result" : "",
      exists ? "" : "to-come",
      now ? "strong" : "",
    ];
    return {
      id: String(index),
      title: node.title,
      note: node.operation,
      rows: [
        {
          label: "data",
          value: exists ? node.data : "",
          coming: "",
          kind: "data",
          arrives: forward ? moving : undefined,
        },
        {
          label: "grad",
          value: grad,
          /** What is about to be added. */
          coming: now ? step.addend : "",
          kind: over && walk.wrong[index] !== undefined ? "gradient wrong" : "gradient",
          arrives: now && step.addend ? moving : undefined,
        },
      ],
      /** How many characters the numbers have room for; longer ones are squeezed. */
      room: Math.max(ROOM, walk.wrong[index] === undefined ? 0 : gradient(scene, index, true).length),
      kind: kinds.filter(Boolean).join(" "),
      says:
        [node.title, node.operation].filter(Boolean).join(", ") +
        (exists ? `: data ${node.data}, grad ${grad}` : ": not computed yet") +
        (exists && slopes.length ? `; local gradients ${slopes.join(", ")}` : ""),
    };
  });
}

export function arrows(scene: Scene, moving: string | undefined) {
  const { play, walk, step, at } = scene;
  const astray = new Set(walk.steps.slice(0, at + 1).flatMap((each) => (each.astray ? each.edges : [])));
  const all = play.edges.map(({ source, target, local_grad }, index) => {
    const lit = step.edges.includes(index);
    const back = lit && step.product !== "";
    const kinds = [
      there(scene, target) ? "" : "to-come",
      lit ? "strong" : "",
      back ? "gradient" : lit && at <= play.forward ? "data" : "",
      astray.has(index) ? "astray" : "",
    ];
    return {
      from: String(source),
      to: String(target),
      label: back ? step.product : there(scene, target) ? local_grad : "",
      kind: kinds.filter(Boolean).join(" "),
      /** Something travels along it from its end to its start. */
      back,
      pulse: lit ? moving : undefined,
    };
  });
  // A dot product has its vectors one after the other; as in the text, pairs stand together.
  const written = (from: string): number => play.nodes[Number(from)]?.place?.[0] ?? 0;
  return play.walks.length > 1 ? all : all.sort((a, b) => written(a.from) - written(b.from));
}
