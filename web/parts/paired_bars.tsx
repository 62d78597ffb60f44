/** The probabilities that two models give to each token, one bar above the other. */

interface Props {
  tokens: string[];
  values: [number[], number[]];
  /** What each model is called, for who cannot see its bars. */
  models: [string, string];
  /** The probability of a full bar. */
  full: number;
  /** What stands beside the colour of each. */
  keys: [string, string];
  /** What the bars show, in words. */
  label: string;
  /** A token that stands out. */
  mark?: number;
}

export const percent = (p: number): string => `${(100 * p).toFixed(1)}\u00a0%`;

export function PairedBars({ tokens, values, models, keys, full, label, mark }: Props) {
  return (
    <div class="pairs">
      <p class="keys" aria-hidden="true">
        {keys.map((key, index) => (
          <span>
            <span class={`swatch m${index + 1}`} /> {key}
          </span>
        ))}
      </p>
      <ul aria-label={label}>
        {tokens.map((name, token) => (
          <li class={token === mark ? "mark" : ""}>
            <span class="name">{name}</span>
            {models.map((model, index) => {
              const value = values[index]?.[token] ?? 0;
              const share = Math.min(100, Math.round((1000 * value) / full) / 10);
              return (
                <>
                  <span class={`track m${index + 1}`} aria-hidden="true">
                    <span class="fill" style={{ width: `${share}%` }} />
                  </span>
                  <span class="value">
                    <span class="sr-only">{index === 0 ? model : `, ${model}`}</span> {percent(value)}
                  </span>
                </>
              );
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
