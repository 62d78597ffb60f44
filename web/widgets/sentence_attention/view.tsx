/** Attention in any sentence: letters are darker the more one letter looks at them. Below, what the model expects next. */

import { useMemo } from "preact/hooks";
import { gptFromMatrices } from "../../engine/gpt.js";
import { rankTokens } from "../../engine/sampling.js";
import { prefixError } from "../../engine/training_setup.js";
import { softmax } from "../../engine/vectors.js";
import { colorStyle, strengthStyle } from "../../parts/colors.js";
import { formatWholePercent } from "../../parts/format.js";
import { useLastValidName } from "../../parts/name_field.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { TextField } from "../../parts/text_field.js";
import { StateLink, useUrlState } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { SentenceAttentionParameters, TrainedSentenceModel } from "../types.js";

/** How many letters the caption names, and the least weight of one that it names. */
const [MAX_NAMED_LETTERS, MIN_NAMED_WEIGHT] = [3, 0.05];
const MAX_NAMED_NEXT_LETTERS = 3;

/** Describe a letter in a phrase: the “s” of “dogs”, the space after “dogs”, the start. */
function describeLetter(sentence: string, position: number): string {
  if (position === 0) return "the start";
  const index = position - 1;
  const wordBefore = sentence.slice(0, index).split(" ").at(-1) ?? "";
  if (sentence[index] === " ") return `the space after “${wordBefore}”`;
  const rest = sentence.slice(index).split(" ")[0] as string;
  return `the “${sentence[index]}” of “${wordBefore}${rest}”`;
}

/** Describe at which letters a letter looks, from its weights for itself and all letters before it. */
function describeLookedAt(sentence: string, weights: number[]): string {
  const query = weights.length - 1;
  const subject = describeLetter(sentence, query).replace(/^t/, "T");
  const targets = rankTokens(weights)
    .slice(0, MAX_NAMED_LETTERS)
    .filter((position, rank) => rank === 0 || (weights[position] as number) >= MIN_NAMED_WEIGHT)
    .map((position) => {
      const target = position === query ? "itself" : describeLetter(sentence, position);
      return `${target} (${formatWholePercent(weights[position] as number)})`;
    });
  return `${subject} looks at ${targets.join(", ")}.`;
}

export default function SentenceAttentionWidget(props: WidgetProps<SentenceAttentionParameters, TrainedSentenceModel>) {
  const { parameters, result } = props;
  const defaults = { text: parameters.sentence, asks: -1, head: parameters.head ?? 0 };
  const [state, update] = useUrlState("sentence", defaults);
  const { characters } = result;
  const gpt = useMemo(() => gptFromMatrices(result.heads, result.matrices), []);
  const maxLetters = (result.matrices.wpe as number[][]).length - 1;
  const validate = (text: string): string =>
    text === "" ? "Type a sentence: one letter or more." : prefixError(text, characters, maxLetters);
  const { validName: sentence, error } = useLastValidName(state.text, defaults.text, validate);
  const { layers, logits } = useMemo(() => {
    const tokens = [characters.length, ...[...sentence].map((letter) => characters.indexOf(letter))];
    return gpt.computeActivations(tokens);
  }, [sentence]);
  const last = sentence.length;
  const head = state.head >= 0 && state.head < result.heads ? state.head : 0;
  const query = state.asks >= 0 && state.asks <= last ? state.asks : last;
  const weights = layers[0]?.attentionWeights[head]?.[query] as number[];
  const probabilities = softmax(logits[query] as number[]);
  const nextLetters = rankTokens(probabilities)
    .slice(0, MAX_NAMED_NEXT_LETTERS)
    .map((token) => {
      const letter = characters[token] ?? "the end";
      return `${letter === " " ? "a space" : letter} ${formatWholePercent(probabilities[token] as number)}`;
    });
  /** Positions of the start and of each word with the space after it, so that lines break between words. */
  const words: number[][] = [[0]];
  for (const [index] of [...sentence].entries()) {
    if (index === 0 || sentence[index - 1] === " ") words.push([]);
    (words.at(-1) as number[]).push(index + 1);
  }
  const letter = (position: number) => (
    <label
      class={position === query ? "token query" : position > query ? "token future" : "token"}
      style={strengthStyle(weights[position])}
    >
      <input
        class="controls"
        type="radio"
        name="sentence"
        checked={position === query}
        aria-label={describeLetter(sentence, position)}
        onInput={() => update({ asks: position === last ? -1 : position })}
      />
      <span aria-hidden="true">
        {position === 0 ? "▸" : sentence[position - 1] === " " ? "\u00a0" : sentence[position - 1]}
      </span>
    </label>
  );
  return (
    <>
      <TextField
        id="sentence"
        label="A sentence"
        value={state.text}
        onInput={(text) => update({ text, asks: -1 })}
        onSubmit={() => {}}
        error={error}
      />
      {parameters.examples && (
        <SingleChoice
          label="Sentences to read"
          class="examples controls"
          choices={parameters.examples}
          value={state.text}
          onChange={(text) => update({ text, asks: -1 })}
        />
      )}
      <div class={error ? "stale" : ""} style={colorStyle("attention")}>
        {result.heads > 1 && (
          <SingleChoice
            label="Head"
            prefix="Head"
            class="choices controls"
            choices={Array.from({ length: result.heads }, (_, head) => [head, `${head}`] as [number, string])}
            value={head}
            onChange={(head) => update({ head })}
          />
        )}
        <div class="sentence" role="radiogroup" aria-label="Who looks">
          {words.map((positions) => (
            <span class="word">{positions.map(letter)}</span>
          ))}
        </div>
        <Status class="caption">{describeLookedAt(sentence, weights)}</Status>
        <p class="next-letters">Next letter: {nextLetters.join(", ")}.</p>
      </div>
      <p class="link-row controls">
        <StateLink widget="sentence" defaults={defaults} state={state} subject="picture" />
      </p>
    </>
  );
}
