import type { JobContext } from '../jobs/job-context.ts';
import { activateDueRateChange, dueRateChanges, expireRateChanges } from './rate-changes.ts';

/** Job: activates a scheduled change when it is due, or has it wait for a second person. */
export async function activateRateChange(context: JobContext, changeId: string): Promise<void> {
  await activate(context, BigInt(changeId));
}

/** Job: handles changes whose job got lost or came early, and closes those that were not confirmed within a day. */
export async function sweepRateChanges(context: JobContext): Promise<void> {
  await context.database.transaction((em) => expireRateChanges(em, context.now()));
  for (const changeId of await dueRateChanges(context.database.fork(), context.now())) {
    await activate(context, changeId);
  }
}

async function activate(context: JobContext, changeId: bigint): Promise<void> {
  const rules = { everyMs: context.ratesEveryMs, maxStepBasisPoints: context.rateMaxStepBasisPoints };
  await context.database.transaction((em) => activateDueRateChange(em, rules, { changeId, at: context.now() }));
}
