import { createHash } from 'node:crypto';

/** The seed of this run of `npm run soak`, a positive 32-bit integer. */
export const soakSeed = Number(process.env.SOAK_SEED);

/** Payments of a long run: `SOAK_PAYMENTS`, or 10,000. */
export const soakPayments = Number(process.env.SOAK_PAYMENTS || 10_000);

/**
 * Random numbers in [0, 1) that are the same in every run with the same seed. Give each strand of work that runs beside
 * others a name of its own: the numbers of one name do not depend on how often others are asked.
 */
export function seededRandom(name: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${soakSeed}/${name}/${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}
