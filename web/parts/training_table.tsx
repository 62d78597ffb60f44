/** What a model can do after some of its steps: its held-out losses, and names that it invents. */

import { decimals, grouped } from "./numerals.js";

interface Look {
  step: number;
  /** One for each of the names of losses; null where nothing is held out. */
  losses: (number | null)[];
  samples: string[];
}

interface Props {
  caption: string;
  /** Whose losses they are. */
  losses: string[];
  /** What the samples are. */
  samples: string;
  looks: Look[];
  /** How many rows have room before there is a look. */
  room: number;
}

export function TrainingTable({ caption, losses, samples, looks, room }: Props) {
  return (
    <table class="readout looks">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {["after step", ...losses, samples].map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: Math.max(room, looks.length) }, (_, index) => {
          const look = looks[index];
          return (
            <tr>
              <th scope="row">{look ? grouped(look.step) : "–"}</th>
              {losses.map((_, place) => (
                <td>{decimals(look?.losses[place] ?? undefined, 3)}</td>
              ))}
              <td class="samples">{look?.samples.map((name) => name || "(empty)").join(", ")}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
