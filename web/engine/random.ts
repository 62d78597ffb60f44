/** Python's `random.Random`: the same numbers from the same seed, so that runs are the same. */

const SIZE = 624;
const PERIOD = 397;

/** The standard deviation of first weights. */
export const STD = 0.08;
/** The seed of the programs. */
export const SEED = 42;

export class Random {
  private readonly words = new Uint32Array(SIZE);
  private index = SIZE;
  private spare: number | null = null;

  /** Begin as `random.Random(seed)` does; a seed is whole, its sign does not matter. */
  constructor(seed: number) {
    const size = Math.abs(seed);
    // In words of 32 bits, the lowest first
    const key = size < 2 ** 32 ? [size] : [size % 2 ** 32, Math.floor(size / 2 ** 32)];
    const mt = this.words;
    mt[0] = 19650218;
    for (let i = 1; i < SIZE; i++) mt[i] = Math.imul(1812433253, this.mixed(i)) + i;
    let i = 1;
    for (let j = 0, k = SIZE; k > 0; k--, j = (j + 1) % key.length) {
      mt[i] = (this.at(i) ^ Math.imul(this.mixed(i), 1664525)) + (key[j] as number) + j;
      i = this.after(i);
    }
    for (let k = SIZE - 1; k > 0; k--) {
      mt[i] = (this.at(i) ^ Math.imul(this.mixed(i), 1566083941)) - i;
      i = this.after(i);
    }
    mt[0] = 0x80000000;
  }

  private at(i: number): number {
    return this.words[i] as number;
  }

  private mixed(i: number): number {
    return this.at(i - 1) ^ (this.at(i - 1) >>> 30);
  }

  private after(i: number): number {
    if (i + 1 < SIZE) return i + 1;
    this.words[0] = this.at(SIZE - 1);
    return 1;
  }

  private bits(): number {
    const mt = this.words;
    if (this.index === SIZE) {
      for (let i = 0; i < SIZE; i++) {
        const y = (this.at(i) & 0x80000000) | (this.at((i + 1) % SIZE) & 0x7fffffff);
        mt[i] = this.at((i + PERIOD) % SIZE) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.index = 0;
    }
    let y = this.at(this.index++);
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A number from 0 up to, but not, 1. */
  random(): number {
    const high = this.bits() >>> 5;
    return (high * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  /** A number from a normal distribution around 0. */
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

  shuffle<T>(list: T[]): void {
    for (let i = list.length - 1; i > 0; i--) {
      const width = Math.clz32(i + 1);
      let j = this.bits() >>> width;
      while (j > i) j = this.bits() >>> width;
      [list[i], list[j]] = [list[j] as T, list[i] as T];
    }
  }

  /** An index, each as likely as its weight says. */
  choice(weights: ArrayLike<number>): number {
    let sum = 0;
    const sums = Array.from(weights, (weight) => (sum += weight));
    const drawn = this.random() * sum;
    const found = sums.findIndex((each) => each > drawn);
    return found < 0 ? weights.length - 1 : found;
  }
}

/** Random numbers as a program goes on with them once it has shuffled so many names. */
export function afterShuffle(names: number): Random {
  const random = new Random(SEED);
  random.shuffle(Array(names));
  return random;
}
