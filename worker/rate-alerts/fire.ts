import { fireRateAlerts } from '#platform/database/rate-alerts';
import type { Engine } from '../engine.ts';

/** Alerts of one currency fired in one transaction. */
const batch = 200;

/** Fires every alert that the rates in force have reached. */
export async function fireReachedAlerts(engine: Engine): Promise<void> {
  const moment = { now: engine.now(), pauseAfterMs: engine.pauseAfterMs };
  while (await engine.database.transaction((em) => fireRateAlerts(em, moment, batch)));
}
