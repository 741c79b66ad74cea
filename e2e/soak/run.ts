import { endDisturbances } from './disturbances.ts';
import { problemsOf } from './invariants.ts';
import { type Load, type Progress, payRandomly } from './load.ts';
import { describeRecord, readRecords, type TransferRecord } from './records.ts';
import type { SoakStack } from './stack.ts';
import { untilStill } from './stillness.ts';
import { problemsOfWhole, readWhole } from './whole.ts';

/** Disturbances that the message of a failure names. */
const lastShown = 5;

export interface SoakResult {
  /** How often each disturbance came. */
  readonly disturbances: ReadonlyMap<string, number>;
  readonly records: readonly TransferRecord[];
  /** From the first payment to the end of the last story, in ms. */
  readonly payingMs: number;
}

/**
 * Makes payments with random stories while `disturb` runs in parallel, waits until everything is at rest, and compares
 * product, Stripe and bank. @throws with the seed and the first transfer that is wrong.
 */
export async function soak(
  stack: SoakStack,
  load: Load,
  disturb: (progress: Progress) => Promise<void>,
  watch: (progress: Progress) => void = () => {},
): Promise<SoakResult> {
  const { app } = stack;
  const { seed, count } = load;
  let disturbances: readonly string[] = [];
  const startedAt = Date.now();
  let payingMs = 0;
  try {
    await payRandomly(app, load, async (progress) => {
      watch(progress);
      ({ disturbances } = progress);
      await disturb(progress);
    });
    payingMs = Date.now() - startedAt;
    await endDisturbances(app, seed);
    await untilStill(app, stack.redis?.url);
  } catch (error) {
    const wrong = (await readRecords(app).catch(() => [])).filter((record) => problemsOf(record).length > 0);
    const first = wrong[0] ? report(wrong[0]) : '';
    const disturbed = `after ${disturbances.length} disturbances, last ${disturbances.slice(-lastShown).join(', ')}`;
    throw new Error(`seed ${seed}: ${(error as Error).message} (${disturbed})\n${first}`, { cause: error });
  }
  const records = await readRecords(app);
  const wrong = records.filter((record) => problemsOf(record).length > 0);
  const problems = problemsOfWhole(await readWhole(app));
  if (records.length !== count) problems.push(`${records.length} of ${count} transfers are there`);
  if (wrong[0]) problems.push(`${wrong.length} of ${count} transfers are wrong. ${report(wrong[0])}`);
  if (problems.length > 0) throw new Error(`seed ${seed}: ${problems.join('\n')}`);
  const counts = new Map([...Map.groupBy(disturbances, (name) => name)].map(([name, those]) => [name, those.length]));
  return { disturbances: counts, records, payingMs };
}

function report(record: TransferRecord): string {
  return `Transfer ${record.id}:\n- ${problemsOf(record).join('\n- ')}\n${describeRecord(record)}`;
}
