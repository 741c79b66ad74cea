import { createHash } from 'node:crypto';

/** The seed of this run of `npm run soak`, a positive 32-bit integer. */
export const soakSeed = Number(process.env.SOAK_SEED);

/** Payments of a long run: `SOAK_PAYMENTS`, or 10,000. */
export const soakPayments = Number(process.env.SOAK_PAYMENTS || 10_000);

/** Transfers of a simulated month: `MONTH_TRANSFERS`, or 2,000. */
export const monthTransfers = Number(process.env.MONTH_TRANSFERS || 2_000);

/** Random requests of a long run: `FUZZ_REQUESTS`, or 100,000. */
export const fuzzRequestCount = Number(process.env.FUZZ_REQUESTS || 100_000);

export type QueueHome = 'postgres' | 'redis';

/** Where the queues of a long run live: `npm run soak` says it. */
export const soakQueues: QueueHome = process.env.SOAK_QUEUES === 'redis' ? 'redis' : 'postgres';

/** A random number in [0, 1) at each call. */
export type Random = () => number;

/**
 * Random numbers that are the same in every run with the same seed. Give each concurrent strand of work its own name:
 * the numbers of one name do not depend on how many others draw.
 */
export function seededRandom(seed: number, name: string): Random {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed}/${name}/${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

/** One of several choices, each as often as its weight says. */
export function choose<Choice extends string>(random: Random, weights: Readonly<Record<Choice, number>>): Choice {
  const choices = Object.entries<number>(weights) as [Choice, number][];
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return (choices.at(-1) as [Choice, number])[0];
}

/** One of several, each as often as the others. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** A number of a range, its end left out. */
export function within(random: Random, [from, to]: readonly [number, number]): number {
  return from + random() * (to - from);
}

/** The same items in a random order. */
export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
