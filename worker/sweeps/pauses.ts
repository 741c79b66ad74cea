import { recordPauses } from '#platform/database/pauses';
import type { Engine } from '../engine.ts';

/** Writes down which currencies' payments pause or go on, and tells admins and browsers. */
export async function watchRates(engine: Engine): Promise<void> {
  const moment = { now: engine.now(), pauseAfterMs: engine.pauseAfterMs };
  await engine.database.transaction((em) => recordPauses(em, moment));
}
