import type { JobContext } from '../job-context.ts';
import { fireRateAlerts } from './rate-alerts.ts';

/** Alerts of one currency fired in one transaction. */
const batch = 200;

/** Fires every alert that the rates in force have reached. */
export async function fireReachedAlerts(context: JobContext): Promise<void> {
  const moment = { now: context.now(), pauseAfterMs: context.pauseAfterMs };
  while (await context.database.transaction((em) => fireRateAlerts(em, moment, batch)));
}
