/** Python's `random.Random` (a Mersenne Twister): the same numbers from the same seed, so that runs agree with Python's. */

const STATE_WORD_COUNT = 624;
const TWIST_OFFSET = 397;

/** Standard deviation of initial weights. */
export const INITIAL_WEIGHT_STD = 0.08;
/** The seed of the guide's programs. */
export const DEFAULT_SEED = 42;

/** A seeded random number generator. */
export class Random {
  private readonly words = new Uint32Array(STATE_WORD_COUNT);
  private index = STATE_WORD_COUNT;
  private spare: number | null = null;

  /** Seed as `random.Random(seed)` does: with an integer, whose sign does not matter. */
  constructor(seed: number) {
    const size = Math.abs(seed);
    // In words of 32 bits, the lowest first
    const key = size < 2 ** 32 ? [size] : [size % 2 ** 32, Math.floor(size / 2 ** 32)];
    const mt = this.words;
    mt[0] = 19650218;
    for (let i = 1; i < STATE_WORD_COUNT; i++) mt[i] = Math.imul(1812433253, this.xorShift(i)) + i;
    let i = 1;
    for (let j = 0, k = STATE_WORD_COUNT; k > 0; k--, j = (j + 1) % key.length) {
      mt[i] = (this.stateWord(i) ^ Math.imul(this.xorShift(i), 1664525)) + (key[j] as number) + j;
      i = this.nextIndex(i);
    }
    for (let k = STATE_WORD_COUNT - 1; k > 0; k--) {
      mt[i] = (this.stateWord(i) ^ Math.imul(this.xorShift(i), 1566083941)) - i;
      i = this.nextIndex(i);
    }
    mt[0] = 0x80000000;
  }

  /** Return a word of the state. */
  private stateWord(i: number): number {
    return this.words[i] as number;
  }

  private xorShift(i: number): number {
    return this.stateWord(i - 1) ^ (this.stateWord(i - 1) >>> 30);
  }

  /** Return the index after `i`; past the end, wrap around to 1. */
  private nextIndex(i: number): number {
    if (i + 1 < STATE_WORD_COUNT) return i + 1;
    this.words[0] = this.stateWord(STATE_WORD_COUNT - 1);
    return 1;
  }

  /** Draw 32 random bits. */
  private nextUint32(): number {
    const mt = this.words;
    if (this.index === STATE_WORD_COUNT) {
      for (let i = 0; i < STATE_WORD_COUNT; i++) {
        const y = (this.stateWord(i) & 0x80000000) | (this.stateWord((i + 1) % STATE_WORD_COUNT) & 0x7fffffff);
        mt[i] = this.stateWord((i + TWIST_OFFSET) % STATE_WORD_COUNT) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.index = 0;
    }
    let y = this.stateWord(this.index++);
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** Draw a number that is at least 0 and less than 1. */
  random(): number {
    const high = this.nextUint32() >>> 5;
    return (high * 67108864 + (this.nextUint32() >>> 6)) / 9007199254740992;
  }

  /** Draw from a normal distribution with mean 0. */
  gauss(std: number): number {
    let z = this.spare;
    this.spare = null;
    if (z === null) {
      const angle = this.random() * 2 * Math.PI;
      const radius = Math.sqrt(-2 * Math.log(1 - this.random()));
      z = Math.cos(angle) * radius;
      this.spare = Math.sin(angle) * radius;
    }
    return z * std;
  }

  /** Draw a whole number from 0 up to, but not including, `limit`. */
  integerBelow(limit: number): number {
    const width = Math.clz32(limit);
    let drawn = this.nextUint32() >>> width;
    while (drawn >= limit) drawn = this.nextUint32() >>> width;
    return drawn;
  }

  /** Draw an item of a list. */
  choose<T>(list: readonly T[]): T {
    return list[this.integerBelow(list.length)] as T;
  }

  /** Shuffle a list in place. */
  shuffle<T>(list: T[]): void {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.integerBelow(i + 1);
      [list[i], list[j]] = [list[j] as T, list[i] as T];
    }
  }

  /** Draw an index with a probability proportional to its weight. */
  drawIndex(weights: ArrayLike<number>): number {
    let sum = 0;
    const sums = Array.from(weights, (weight) => (sum += weight));
    const threshold = this.random() * sum;
    const index = sums.findIndex((each) => each > threshold);
    return index < 0 ? weights.length - 1 : index;
  }
}

/** Return the generator of a program of the guide, as it is after shuffling `nameCount` names. */
export function rngAfterShuffle(nameCount: number): Random {
  const rng = new Random(DEFAULT_SEED);
  rng.shuffle(Array(nameCount));
  return rng;
}
