import { activateDueRateChange, dueRateChanges, expireRateChanges } from '#platform/database/rate-changes';
import type { Engine } from '../engine.ts';

/** Puts a scheduled change in force when its hour has come, or has it wait for a second person. */
export async function activateRateChange(engine: Engine, changeId: string): Promise<void> {
  await activate(engine, BigInt(changeId));
}

/** Catches up with changes whose job got lost or came early, and closes those that nobody confirmed in a day. */
export async function sweepRateChanges(engine: Engine): Promise<void> {
  await engine.database.transaction((em) => expireRateChanges(em, engine.now()));
  for (const changeId of await dueRateChanges(engine.database.read(), engine.now())) await activate(engine, changeId);
}

async function activate(engine: Engine, changeId: bigint): Promise<void> {
  const rules = { everyMs: engine.ratesEveryMs, maxStepBasisPoints: engine.rateMaxStepBasisPoints };
  await engine.database.transaction((em) => activateDueRateChange(em, rules, { changeId, at: engine.now() }));
}
